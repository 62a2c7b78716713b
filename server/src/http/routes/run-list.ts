/** Lists of runs: pages for operators, and exports of everything that matches. */

import Type, { type Static, type TObject } from 'typebox';
import type { RunReport } from '../../control/run-report.js';
import { unprocessable } from '../../domain/app-error.js';
import { IDLE_AFTER_MS, type RunSummary } from '../../domain/run.js';
import {
  MAX_METADATA_FILTER_LENGTH,
  type MetadataEntry,
  parseMetadataFilter,
} from '../../domain/run-metadata.js';
import { MAX_RUNS_EXAMINED, type RunFilter, type RunStore } from '../../store/store.js';
import { pinnedUserIdOf, workspaceIdOf } from '../authenticate.js';
import { csvLine } from '../csv.js';
import { requireStorableText } from '../json-body.js';
import { type JsonPieces, jsonObject, type Piece } from '../json-pieces.js';
import { momentFrom, PeriodParameters } from '../moment.js';
import { RUN_FIELDS, RunStatus, toRunFields } from '../run-fields.js';
import {
  Choice,
  Count,
  DenyReason,
  EndReason,
  Name,
  Nullable,
  PageOf,
  PageParameters,
  toPageQuery,
} from '../schemas.js';
import type { HttpServer } from '../server-types.js';

const MAX_RUNS = MAX_RUNS_EXAMINED.toLocaleString('en-US');
const IDLE = `Only running runs with a lease and without an accepted write for ${IDLE_AFTER_MS / 60_000} minutes or more`;

const OnlyTrue = (description: string) => Type.Unsafe<true>({ type: 'boolean', enum: [true], description });

const RunFilters = {
  status: Type.Optional(RunStatus),
  user_id: Type.Optional(Name('Only runs of this user')),
  ...PeriodParameters,
  end_reason: Type.Optional(EndReason),
  deny_reason: Type.Optional(DenyReason),
  has_denied_steps: Type.Optional(OnlyTrue('Only runs with a step that was denied')),
  idle: Type.Optional(OnlyTrue(IDLE)),
  metadata: Type.Optional(
    Type.String({
      maxLength: MAX_METADATA_FILTER_LENGTH,
      description:
        'Only runs with this entry at the top of their metadata, as `name=value`. The first 16 entries with a text, a number ' +
        'or a boolean are found, names of up to 64 and values of up to 256 characters, in metadata of up to 4,096 characters.',
    }),
  ),
};

const RunListItem = Type.Object(
  {
    ...RUN_FIELDS,
    step_count: Count(),
    deny_reason: Nullable(DenyReason, 'Why the run was not allowed to start; null if it was'),
    denied_step_count: Count('Steps that were denied'),
  },
  { title: 'RunListItem' },
);

const FILTERS =
  '`from` and `to` are about the start of the run. `deny_reason` is why the run was not allowed to start, or why one of its ' +
  'steps was denied.';

const EXPORT_FORMATS = ['csv', 'jsonl'] as const;

export interface RunListRoutesOptions {
  readonly runs: RunStore;
  readonly runReport: RunReport;
  readonly pieces: JsonPieces;
}

export function runListRoutes(server: HttpServer, { runs, runReport, pieces }: RunListRoutesOptions): void {
  server.get(
    '/v1/runs/',
    {
      config: { auth: 'any', access: 'read-run', showsRuns: true },
      schema: {
        operationId: 'listRuns',
        summary: 'List runs, newest first',
        description:
          `All filters can be combined. ${FILTERS} Runs by status, by user or by time alone are counted exactly. Any other ` +
          `combination is applied to at most ${MAX_RUNS} runs that its most selective filter finds, and \`total\` counts the ` +
          `matches among them: the newest ones, or with \`idle\` those that started first. Of a user with up to ${MAX_RUNS} runs, ` +
          'every match is counted.',
        tags: ['Runs'],
        querystring: Type.Object({ ...RunFilters, ...PageParameters }),
        response: { 200: PageOf(RunListItem) },
      },
    },
    async (request) => {
      const { page, per_page } = request.query;
      const filter = toRunFilter(request.query, pinnedUserIdOf(request));
      if (filter === null) return { items: [], total: 0, page, per_page };
      const { items, total } = await runs.list({
        workspaceId: workspaceIdOf(request),
        ...filter,
        ...toPageQuery({ page, per_page }),
      });
      return { items: items.map(toRunListItem), total, page, per_page };
    },
  );

  server.get(
    '/v1/runs/export',
    {
      config: { auth: 'any', access: 'read-run', showsRuns: true },
      schema: {
        operationId: 'exportRuns',
        summary: 'Export runs, newest first',
        description:
          `All runs that match, with the fields of the list: as CSV, or as JSON with one run per line. ${FILTERS} In CSV, a ` +
          'text that a spreadsheet would take for a formula begins with an apostrophe.',
        tags: ['Runs'],
        querystring: Type.Object({
          ...RunFilters,
          format: Type.Optional(Choice(EXPORT_FORMATS, { description: 'csv unless told' })),
        }),
        response: {
          200: {
            description: 'The runs',
            content: {
              'text/csv': { schema: Type.String() },
              'application/jsonl': { schema: Type.String() },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const workspaceId = workspaceIdOf(request);
      const { format = 'csv' } = request.query;
      const filter = toRunFilter(request.query, pinnedUserIdOf(request));
      const { type, before, toLine } = FORMATS[format];
      reply.type(type).header('content-disposition', `attachment; filename="runs.${format}"`);
      return pieces.send(reply, workspaceId, async () =>
        toLines(filter === null ? NOTHING : runReport.list({ workspaceId, ...filter }), { before, toLine }),
      );
    },
  );
}

const NOTHING: readonly (readonly RunSummary[])[] = [];

const CSV_COLUMNS = [
  'id',
  'user_id',
  'status',
  'started_at',
  'ended_at',
  'end_reason',
  'deny_reason',
  'step_count',
  'denied_step_count',
  'total_tokens',
  'total_cost_usd',
] as const;

interface ExportFormat {
  readonly type: string;
  readonly before: string;
  readonly toLine: (item: Static<typeof RunListItem>) => string;
}

const FORMATS: Record<(typeof EXPORT_FORMATS)[number], ExportFormat> = {
  csv: {
    type: 'text/csv; charset=utf-8',
    before: csvLine(CSV_COLUMNS),
    toLine: (item) => csvLine(CSV_COLUMNS.map((column) => item[column])),
  },
  jsonl: {
    type: 'application/jsonl; charset=utf-8',
    before: '',
    toLine: (item) => `${jsonObject(Object.fromEntries(Object.entries(item).map(toJsonField)))}\n`,
  },
};

/** A total may be larger than what JavaScript writes exactly. */
function toJsonField([name, value]: [string, string | number | bigint | null]): [string, string] {
  return [name, typeof value === 'bigint' ? String(value) : JSON.stringify(value)];
}

async function* toLines(
  pages: AsyncIterable<readonly RunSummary[]> | Iterable<readonly RunSummary[]>,
  { before, toLine }: Pick<ExportFormat, 'before' | 'toLine'>,
): AsyncGenerator<Piece> {
  yield before;
  for await (const page of pages) yield page.map((run) => toLine(toRunListItem(run))).join('');
}

function toRunListItem(run: RunSummary): Static<typeof RunListItem> {
  return {
    ...toRunFields(run),
    step_count: run.stepCount,
    deny_reason: run.denyReason,
    denied_step_count: run.deniedStepCount,
  };
}

/** Null: a key of one user asks for another one. */
function toRunFilter(
  query: Static<TObject<typeof RunFilters>>,
  pinnedUserId: string | null,
): RunFilter | null {
  const { status, user_id, end_reason, deny_reason, has_denied_steps, idle, metadata } = query;
  if (user_id !== undefined) requireStorableText(user_id, 'querystring/user_id');
  if (metadata !== undefined) requireStorableText(metadata, 'querystring/metadata');
  const filter = {
    status: status ?? null,
    userId: pinnedUserId ?? user_id ?? null,
    from: momentFrom(query.from, 'from'),
    to: momentFrom(query.to, 'to'),
    endReason: end_reason,
    denyReason: deny_reason,
    hasDeniedSteps: has_denied_steps,
    idleMs: idle && IDLE_AFTER_MS,
    metadata: metadata === undefined ? undefined : metadataFrom(metadata),
  };
  return pinnedUserId !== null && user_id !== undefined && user_id !== pinnedUserId ? null : filter;
}

function metadataFrom(text: string): MetadataEntry {
  const entry = parseMetadataFilter(text);
  if (entry === null) throw unprocessable('querystring/metadata must be like name=value');
  return entry;
}
