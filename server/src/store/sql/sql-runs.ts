import type { TokenPrices } from '../../domain/price.js';
import type { RunSummary } from '../../domain/run.js';
import { LOWEST_UUID } from '../../domain/uuid.js';
import { listOf, pick, reader } from '../columns.js';
import { firstOf, type Row, readNullableNumber, readNumber, readText, type SqlValue } from '../row.js';
import { toPriceVersion, toRun, toRunSummary, toStep, toStepDecision } from '../rows.js';
import { findRunPage, type RunPage } from '../run-page.js';
import {
  type ListedStep,
  MAX_RUNS_EXAMINED,
  type Page,
  type PositionRange,
  type RunKey,
  type RunQuery,
  type RunStore,
  type StepCursor,
  type StepDecision,
} from '../store.js';
import { PRICE_VERSION, RUN, RUN_SUMMARY, STEP, STEP_DECISION, STEPS } from '../tables.js';
import type { SqlDatabase, SqlReader, Statement } from './sql-database.js';
import { countRuns } from './sql-run-counts.js';
import { findPositions } from './sql-run-range.js';
import { type RunWindow, runWindow, withLimit } from './sql-run-window.js';

/** The steps of a run as it was read. */
const OF_RUN = 'workspace_id = $1 AND run_id = $2 AND position <= $3';

export function sqlRuns(database: SqlDatabase): RunStore {
  return {
    list: (query) =>
      database.snapshot(async (reader) => {
        const positions = hasTimes(query) ? await findPositions(reader, query) : null;
        if (hasNoCounter(query)) return listWindow(reader, query, positions);
        const total = positions === null ? await countRuns(reader, query) : sizeOf(positions);
        const page = pageOf(query, findRunPage(query, { total, newest: positions?.newest ?? total }));
        const rows = page === null ? [] : await reader.query(page.sql, ...page.values);
        return { items: rows.map(toRunSummary), total };
      }),

    findPositions: (query) => database.snapshot((reader) => findPositions(reader, query)),

    listNext: ({ positions, limit, ...query }) =>
      database.snapshot(async (reader) => {
        const [now, hasFewOfUser] = [await reader.now(), await hasFewRunsOfUser(reader, query)];
        const window = runWindow(query, { now, positions, limit, order: 'DESC', hasFewOfUser });
        const oldest = await findOldestExamined(reader, window, limit);
        const rows = await reader.query(
          `SELECT ${listOf(RUN_SUMMARY)} FROM runs WHERE workspace_id = $1 AND position IN (${window.sql})
             AND position >= $${window.values.length + 1} ORDER BY position DESC`,
          ...window.values,
          oldest ?? 0,
        );
        return { runs: rows.map(toRunSummary), next: oldest === null ? null : oldest - 1 };
      }),

    async find({ workspaceId, runId }) {
      const sql = `SELECT ${listOf(RUN)} FROM runs WHERE workspace_id = $1 AND id = $2`;
      return firstOf(await database.query(sql, workspaceId, runId), toRun);
    },

    async findNewestWith({ workspaceId, name, value }) {
      const sql = `SELECT ${listOf(RUN_SUMMARY)} FROM runs WHERE workspace_id = $1 AND position =
        (SELECT max(position) FROM run_metadata WHERE workspace_id = $1 AND name = $2 AND value = $3)`;
      return firstOf(await database.query(sql, workspaceId, name, value), toRunSummary);
    },

    /** First how large the payloads are, and then those of as many steps as fit, with the prices of their tokens. */
    listSteps: ({ workspaceId, runId, asOf, after, limit, maxBytes, isInOrderOfIds }) =>
      database.snapshot(async (reader) => {
        const rows = await reader.query(
          `SELECT ${listOf(STEP)}, octet_length(input_data) AS input_bytes, octet_length(output_data) AS output_bytes
           FROM steps
           WHERE ${OF_RUN} AND ${isInOrderOfIds ? 'id > $5' : '(sequence, position) > ($5, $6)'}
           ORDER BY ${isInOrderOfIds ? 'id' : 'sequence, position'} LIMIT $4`,
          workspaceId,
          runId,
          asOf.stepCount,
          limit,
          ...(isInOrderOfIds ? [after?.id ?? LOWEST_UUID] : [after?.sequence ?? 0, after?.position ?? 0]),
        );
        const fitting = takeFitting(rows, maxBytes);
        const payload = `${database.payload('input_data')}, ${database.payload('output_data')}`;
        const payloads = await readPayloads(reader, { workspaceId, runId, rows: fitting, payload });
        const listed = fitting.map((row) => ({
          ...toStep(row),
          ...payloadsIn(payloads.get(readText(row, 'id'))),
        }));
        const prices = await readPrices(reader, workspaceId, listed);
        const steps = listed.map((step) =>
          toStepAsOf({ prices: prices.get(priceKey(step)) ?? null, ...step }, asOf),
        );
        const isComplete = fitting.length === rows.length && rows.length < limit;
        return { steps, next: isComplete ? null : firstOf(fitting.slice(-1), toCursor) };
      }),

    async listDecisions({ workspaceId, runId, stepCount, after, limit, isInOrderOfIds }) {
      const rows = await database.query(
        `SELECT ${listOf(STEP_DECISION)} FROM steps
         WHERE ${OF_RUN} AND ${isInOrderOfIds ? 'id' : 'position'} > $5
         ORDER BY ${isInOrderOfIds ? 'id' : 'position'} LIMIT $4`,
        workspaceId,
        runId,
        stepCount,
        limit,
        isInOrderOfIds ? (after?.id ?? LOWEST_UUID) : (after?.position ?? 0),
      );
      const next = rows.length < limit ? null : firstOf(rows.slice(-1), toCursor);
      return { decisions: rows.map(toListedDecision), next };
    },

    async findStepOrder({ workspaceId, runId, stepCount }) {
      const [row = {}] = await database.query(
        `SELECT
           COALESCE(SUM(CASE WHEN (sequence, position) < (last_sequence, last_position) THEN 1 ELSE 0 END), 0) AS by_sequence,
           COALESCE(SUM(CASE WHEN position < last_position THEN 1 ELSE 0 END), 0) AS by_position
         FROM (
           SELECT sequence, position,
             LAG(sequence) OVER (ORDER BY id) AS last_sequence, LAG(position) OVER (ORDER BY id) AS last_position
           FROM steps WHERE ${OF_RUN}
         ) AS steps_by_id`,
        workspaceId,
        runId,
        stepCount,
      );
      return {
        isBySequence: readNumber(row, 'by_sequence') === 0,
        isByPosition: readNumber(row, 'by_position') === 0,
      };
    },

    async countActive() {
      const rows = await database.query(
        'SELECT COALESCE(SUM(running_runs), 0) AS active FROM workspace_counters',
      );
      return firstOf(rows, (row) => readNumber(row, 'active')) ?? 0;
    },

    async hasDueRuns(workspaceId) {
      const sql = 'SELECT next_due_at FROM workspace_counters WHERE workspace_id = $1';
      const [rows, now] = await Promise.all([database.query(sql, workspaceId), database.now()]);
      const nextDueAt = firstOf(rows, (row) => readNullableNumber(row, 'next_due_at'));
      return nextDueAt !== null && nextDueAt <= now;
    },

    async listDueWorkspaces({ now, limit }) {
      const rows = await database.query(
        `SELECT workspace_id FROM workspace_counters WHERE next_due_at <= $1 ORDER BY next_due_at LIMIT $2`,
        now,
        limit,
      );
      return rows.map((row) => readText(row, 'workspace_id'));
    },
  };
}

/** Whether matching runs have to be counted. */
function hasNoCounter(query: RunQuery): boolean {
  const { status, userId, endReason, idleMs, denyReason, hasDeniedSteps, metadata } = query;
  if (hasTimes(query) && (status !== null || userId !== null)) return true;
  return [endReason, idleMs, denyReason, hasDeniedSteps, metadata].some((filter) => filter !== undefined);
}

function hasTimes({ from, to }: RunQuery): boolean {
  return from !== undefined || to !== undefined;
}

function sizeOf({ oldest, newest }: PositionRange): number {
  return Math.max(0, newest - oldest + 1);
}

/** The runs in the window are counted. */
async function listWindow(
  reader: SqlReader,
  query: RunQuery,
  positions: PositionRange | null,
): Promise<Page<RunSummary>> {
  // A run that started long ago is more likely to be idle.
  const order = query.idleMs === undefined ? 'DESC' : 'ASC';
  const now = await reader.now();
  const hasFewOfUser = await hasFewRunsOfUser(reader, query);
  const bounds = { now, positions, order, hasFewOfUser, limit: MAX_RUNS_EXAMINED } as const;
  const { sql, values, isDecidedByIndex } = runWindow(query, bounds);
  const count = await reader.query(`SELECT COUNT(*) AS total FROM (${sql}) AS matching`, ...values);
  const total = firstOf(count, (row) => readNumber(row, 'total')) ?? 0;
  if (query.offset >= total) return { items: [], total };
  // Where nothing remains to be checked, the page ends where its last run is found.
  const last = Math.min(query.offset + query.limit, MAX_RUNS_EXAMINED);
  const rows = await reader.query(
    `SELECT ${listOf(RUN_SUMMARY)} FROM runs WHERE workspace_id = $1 AND position IN (
       SELECT position FROM (${sql}) AS matching
       ORDER BY position DESC LIMIT $${values.length + 1} OFFSET $${values.length + 2}
     ) ORDER BY position DESC`,
    ...(isDecidedByIndex ? withLimit(values, last) : values),
    query.limit,
    query.offset,
  );
  return { items: rows.map(toRunSummary), total };
}

/** Whether all runs of the user can be examined. Asked only where another index would be used instead. */
async function hasFewRunsOfUser(
  reader: SqlReader,
  { workspaceId, userId, metadata }: Pick<RunQuery, 'workspaceId' | 'userId' | 'metadata'>,
): Promise<boolean> {
  if (userId === null || metadata === undefined) return false;
  return (await countRuns(reader, { workspaceId, userId, status: null })) <= MAX_RUNS_EXAMINED;
}

/** The position down to which all runs were examined; null if there are no more. */
async function findOldestExamined(
  reader: SqlReader,
  { examined }: RunWindow,
  limit: number,
): Promise<number | null> {
  const ends: number[] = [];
  for (const { sql, values } of examined) {
    const count = `SELECT COUNT(*) AS found, MIN(position) AS oldest FROM (${sql}) AS examined`;
    const [row = {}] = await reader.query(count, ...values);
    if (readNumber(row, 'found') === limit) ends.push(readNumber(row, 'oldest'));
  }
  return ends.length === 0 ? null : Math.max(...ends);
}

/** The offset is skipped on the index alone; only the rows of the page are read. */
function pageOf({ workspaceId, status, userId }: RunQuery, page: RunPage): Statement | null {
  if (page.kind === 'empty') return null;
  if (page.kind === 'positions') {
    const sql = `SELECT ${listOf(RUN_SUMMARY)} FROM runs
                 WHERE workspace_id = $1 AND position BETWEEN $2 AND $3 ORDER BY position DESC`;
    return { sql, values: [workspaceId, page.oldest, page.newest] };
  }
  const values: SqlValue[] = [workspaceId, page.limit, page.offset];
  let filter = '';
  if (userId !== null) filter += ` AND user_id = $${values.push(userId)}`;
  if (status !== null) filter += ` AND status = $${values.push(status)}`;
  const sql = `SELECT ${listOf(RUN_SUMMARY)} FROM runs WHERE workspace_id = $1 AND position IN (
                 SELECT position FROM runs WHERE workspace_id = $1${filter}
                 ORDER BY position ${page.order} LIMIT $2 OFFSET $3
               ) ORDER BY position DESC`;
  return { sql, values };
}

/** At least one. */
function takeFitting(rows: readonly Row[], maxBytes: number): readonly Row[] {
  let bytes = 0;
  const end = rows.findIndex((row, index) => {
    bytes += (readNullableNumber(row, 'input_bytes') ?? 0) + (readNullableNumber(row, 'output_bytes') ?? 0);
    return index > 0 && bytes > maxBytes;
  });
  return end === -1 ? rows : rows.slice(0, end);
}

/** The payloads of these rows; of a page in order of ids they are next to each other. */
async function readPayloads(
  reader: SqlReader,
  { workspaceId, runId, rows, payload }: RunKey & { rows: readonly Row[]; payload: string },
): Promise<Map<string, Row>> {
  const ids = rows
    .filter((row) => row['input_bytes'] !== null || row['output_bytes'] !== null)
    .map((row) => readText(row, 'id'));
  if (ids.length === 0) return new Map();
  const places = ids.map((_, index) => `$${index + 3}`).join(', ');
  const found = await reader.query(
    `SELECT id, ${payload} FROM steps WHERE workspace_id = $1 AND run_id = $2 AND id IN (${places})`,
    workspaceId,
    runId,
    ...ids,
  );
  return new Map(found.map((row) => [readText(row, 'id'), row]));
}

function payloadsIn(row: Row = {}): Pick<ListedStep, 'inputData' | 'outputData'> {
  return {
    inputData: (row['input_data'] ?? null) as ListedStep['inputData'],
    outputData: (row['output_data'] ?? null) as ListedStep['outputData'],
  };
}

type PricedStep = Pick<ListedStep, 'model' | 'priceVersion'>;

/** The versions of prices that the costs of these steps come from. A page has few, each is found by its key. */
async function readPrices(
  reader: SqlReader,
  workspaceId: string,
  steps: readonly PricedStep[],
): Promise<Map<string, TokenPrices>> {
  const priced = new Map(
    steps.filter(({ priceVersion }) => priceVersion !== null).map((step) => [priceKey(step), step]),
  );
  if (priced.size === 0) return new Map();
  const keys = [...priced.values()].map(
    (_, index) => `(model = $${2 * index + 2} AND version = $${2 * index + 3})`,
  );
  const rows = await reader.query(
    `SELECT ${listOf(PRICE_VERSION)} FROM model_price_versions WHERE workspace_id = $1 AND (${keys.join(' OR ')})`,
    workspaceId,
    ...[...priced.values()].flatMap(({ model, priceVersion }) => [model, priceVersion]),
  );
  return new Map(
    rows
      .map(toPriceVersion)
      .map(({ model, version, ...prices }) => [priceKey({ model, priceVersion: version }), prices]),
  );
}

function priceKey({ model, priceVersion }: PricedStep): string {
  return `${priceVersion} ${model}`;
}

const toCursor: (row: Row) => StepCursor = reader(pick(STEPS.columns, 'id', 'sequence', 'position'));

function toListedDecision(row: Row): StepDecision {
  const { id, decision, createdAt } = toStepDecision(row);
  return { stepId: id, decision, decidedAt: createdAt };
}

/** A report that the run's totals do not include yet is left out, so that totals and steps always agree. */
function toStepAsOf(step: ListedStep, asOf: { readonly usageVersion: number }): ListedStep {
  const { usageVersion, chargedVersion, holdPicoUsd } = step;
  if ((usageVersion ?? 0) <= asOf.usageVersion) return step;
  // Before the report there was the charge of the hold, or the hold itself.
  const isCharged = chargedVersion !== null && chargedVersion <= asOf.usageVersion;
  return {
    ...step,
    status: 'ALLOWED',
    promptTokens: null,
    completionTokens: null,
    cacheReadTokens: null,
    cacheWriteTokens: null,
    reasoningTokens: null,
    prices: null,
    error: null,
    outputData: null,
    costPicoUsd: isCharged ? holdPicoUsd : null,
    costSource: isCharged ? 'estimated' : null,
    heldPicoUsd: isCharged ? null : holdPicoUsd,
    durationMs: null,
  };
}
