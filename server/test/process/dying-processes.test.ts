/**
 * Agents as real processes in real time, killed at random moments: a slot is free when the lease ends and not before, and an
 * agent that sends heartbeats keeps its slot. http/dying-agents has the same with an injected clock.
 */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SeededRandom } from '../../src/cli/seeded-random.js';
import { openStore } from '../../src/store/open-store.js';
import { ApiClient } from '../support/api-client.js';
import { campaignSeed, campaignSize, isFullSize, reportCampaign } from '../support/campaign.js';
import { registerLoadWorkspace } from '../support/load-workspace.js';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { expectStatus } from '../support/test-service.js';

const AGENTS = campaignSize({ short: 20, full: 1_000 });
const PROCESSES = campaignSize({ short: 20, full: 50 });
const SLOTS = campaignSize({ short: 14, full: 40 });
/** The shortest that the service accepts. */
const LEASE_SECONDS = 10;
const LEASE_MS = LEASE_SECONDS * 1000;
const MAX_LIFE_MS = campaignSize({ short: 2_000, full: 6_000 });
/** Every fifth agent survives, and every seventh of the others is killed while it starts. */
const SURVIVOR_EVERY = 5;
const EARLY_EVERY = 7;
/** Longer than a lease: only heartbeats keep the slot. */
const SURVIVOR_LIFE_MS = LEASE_MS + 2_000;
/** Until the service has handled what a process sent before it was killed. */
const SETTLE_MS = 500;
const READ_AGAIN_BEFORE_MS = 1_000;
const MAX_PROBE_BEFORE_MS = 150;
const PROBE = 'probe';
const AGENT = fileURLToPath(new URL('../support/dying-agent.js', import.meta.url));

/** A start: the service decided it between these times. */
interface Attempt {
  readonly sentAt: number;
  readonly answeredAt: number;
  readonly runId: string;
  readonly status: string;
}

type AgentMessage =
  | { readonly kind: 'ready' }
  | ({ readonly kind: 'asked' } & Attempt)
  | { readonly kind: 'heartbeat'; readonly status: string; readonly leaseExpiresAt: string }
  | { readonly kind: 'ended'; readonly status: string };

interface ShownRun {
  readonly id: string;
  readonly user_id: string;
  readonly status: string;
  readonly started_at: string;
  readonly ended_at: string;
  readonly end_reason: string | null;
  readonly lease_expires_at: string;
}

let folder: string;
let service: ServiceProcess;
let machine: ApiClient;
const children = new Set<ChildProcess>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guarded-runs-dying-'));
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await service.stop('SIGTERM');
  await rm(folder, { recursive: true, force: true });
});

test(`of ${AGENTS} processes killed at random moments, each slot is free when its lease ends and not before`, async () => {
  const random = new SeededRandom(campaignSeed('dying processes'));
  const databaseUrl = `sqlite:${join(folder, 'dying.db')}`;
  service = await startServiceProcess({
    DATABASE_URL: databaseUrl,
    DEFAULT_PLAN: 'enterprise',
    LOG_LEVEL: 'fatal',
  });
  const { apiKey } = await registerLoadWorkspace(service.url);
  machine = new ApiClient(service.url, apiKey);
  expectStatus(await machine.patch('/v1/workspace/', { max_concurrent_runs: SLOTS }), 200);

  const begunAt = Date.now();
  const attempts: Attempt[] = [];
  const expectedEnds = new Map<string, string>();
  const watches: Promise<void>[] = [];
  const figures = { killed: 0, 'killed without a run': 0, survivors: 0, heartbeats: 0, probes: 0 };
  let spawned = 0;

  const lane = async () => {
    while (spawned < AGENTS) {
      spawned += 1;
      const userId = `agent-${spawned}`;
      const leaseEnds = await live(userId, spawned);
      if (leaseEnds !== null) watches.push(watch(userId, leaseEnds));
    }
  };

  /** Returns the leases that a killed agent was told, or null if it ended its run itself. */
  const live = async (userId: string, index: number): Promise<readonly string[] | null> => {
    const isSurvivor = index % SURVIVOR_EVERY === 0;
    const isKilledEarly = !isSurvivor && index % EARLY_EVERY === 0;
    const lifeMs = isSurvivor ? SURVIVOR_LIFE_MS : random.next() * MAX_LIFE_MS;
    const leaseEnds: string[] = [];
    let [hasWaited, hasSurvived, hasEnded] = [false, false, false];
    const child = startAgent(userId, apiKey);
    const later = (act: () => void, ms: number) => setTimeout(act, ms).unref();
    const kill = () => {
      child.kill('SIGKILL');
    };
    child.on('message', (message: AgentMessage) => {
      if (message.kind === 'ready' && isKilledEarly) later(kill, lifeMs / 4);
      if (message.kind === 'asked') {
        attempts.push(message);
        hasWaited ||= message.status === 'BLOCKED';
        if (message.status !== 'RUNNING' || isKilledEarly) return;
        // In the short form, who waited for a slot only shows that it was free.
        if (hasWaited && !isFullSize) child.send('finish');
        else if (isSurvivor)
          later(() => {
            hasSurvived = true;
            child.send('finish');
          }, lifeMs);
        else later(kill, lifeMs);
      }
      if (message.kind === 'heartbeat') {
        figures.heartbeats += 1;
        expect.soft(message.status, `heartbeat of ${userId}`).toBe('RUNNING');
        leaseEnds.push(message.leaseExpiresAt);
      }
      if (message.kind === 'ended') {
        hasEnded = true;
        expect.soft(message.status, `end of ${userId}`).toBe('COMPLETED');
      }
    });
    const [code] = (await once(child, 'exit')) as [number | null];
    children.delete(child);
    expect.soft(code, `exit code of ${userId}`).toBe(hasEnded ? 0 : null);
    if (!hasEnded) figures.killed += 1;
    else if (hasSurvived) figures.survivors += 1;
    return hasEnded ? null : leaseEnds;
  };

  /** Reads when the lease of a dead agent ends, and asks for its slot shortly before and at that moment. */
  const watch = async (userId: string, leaseEnds: readonly string[]) => {
    await pause(SETTLE_MS);
    let run = await readRunning(userId);
    if (run === null) {
      figures['killed without a run'] += 1;
      return;
    }
    // Read again before it ends, in case that the last request of the agent was still in flight.
    for (let seen = ''; run !== null && seen !== run.lease_expires_at; ) {
      seen = run.lease_expires_at;
      await pause(Date.parse(seen) - READ_AGAIN_BEFORE_MS - Date.now());
      run = (await readRunning(userId)) ?? run;
    }
    const end = run.lease_expires_at;
    expect.soft(leaseEnds.every((told) => told <= end)).toBe(true);
    expectedEnds.set(run.id, end);
    const endAt = Date.parse(end);
    await pause(endAt - random.integer(1, MAX_PROBE_BEFORE_MS) - Date.now());
    await probe();
    while (Date.now() < endAt) await pause(endAt - Date.now());
    await probe();
    const { body } = expectStatus(await machine.get(`/v1/runs/${run.id}`), 200);
    expect.soft(body).toMatchObject({ status: 'FAILED', end_reason: 'LEASE_EXPIRED', ended_at: end });
  };

  const probe = async () => {
    figures.probes += 1;
    const sentAt = Date.now();
    const { body } = expectStatus(await machine.post('/v1/runs/', { user_id: PROBE }), 201);
    attempts.push({ sentAt, answeredAt: Date.now(), runId: body.id, status: body.status });
    if (body.status === 'RUNNING')
      expectStatus(await machine.post(`/v1/runs/${body.id}/end`, { status: 'COMPLETED' }), 200);
  };

  await Promise.all(Array.from({ length: PROCESSES }, lane));
  await Promise.all(watches);

  const runs = [...(await listRuns('status=FAILED')), ...(await listRuns('status=COMPLETED'))];
  expect(await listRuns('status=RUNNING')).toEqual([]);
  for (const run of runs.filter(({ status }) => status === 'FAILED')) {
    expect(run).toMatchObject({ end_reason: 'LEASE_EXPIRED', ended_at: expectedEnds.get(run.id) });
    expectedEnds.delete(run.id);
  }
  expect(expectedEnds.size).toBe(0);
  const denials = expectExactSlots(runs, attempts);
  await expectAllSlotsFree();

  const store = await openStore({ databaseUrl });
  expect((await store.maintenance.verify()).differences).toEqual([]);
  await store.close();
  expect(figures.survivors * figures.killed * denials).toBeGreaterThan(0);
  reportCampaign('dying processes', {
    agents: AGENTS,
    ...figures,
    denials,
    seconds: Math.round((Date.now() - begunAt) / 1000),
  });
}, 3_600_000);

function startAgent(userId: string, apiKey: string): ChildProcess {
  const settings = { url: service.url, apiKey, userId, leaseSeconds: LEASE_SECONDS };
  const child = fork(AGENT, [JSON.stringify(settings)], {
    execArgv: ['--max-old-space-size=32'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  children.add(child);
  return child;
}

async function readRunning(userId: string): Promise<ShownRun | null> {
  const [run] = await listRuns(`user_id=${userId}&status=RUNNING`);
  return run ?? null;
}

async function listRuns(query: string): Promise<ShownRun[]> {
  const found: ShownRun[] = [];
  for (let page = 1; ; page += 1) {
    const { body } = expectStatus(await machine.get(`/v1/runs/?${query}&page=${page}&per_page=100`), 200);
    found.push(...body.items);
    if (found.length >= body.total || body.items.length === 0) return found;
  }
}

/** Every start was decided as the other runs at its moment demand. Returns the number of denials. */
function expectExactSlots(shown: readonly ShownRun[], attempts: readonly Attempt[]): number {
  const runs = shown.map(({ id, started_at, ended_at }) => ({
    id,
    from: Date.parse(started_at),
    to: Date.parse(ended_at),
  }));
  let peak = 0;
  for (const { id, from } of runs) {
    const others = runs.filter((other) => other.id !== id && other.from < from && other.to > from).length;
    expect(others, `slots taken when ${id} was allowed`).toBeLessThan(SLOTS);
    peak = Math.max(peak, others + 1);
  }
  expect(peak, 'the limit was reached').toBe(SLOTS);
  const denied = attempts.filter(({ status }) => status === 'BLOCKED');
  for (const { sentAt, answeredAt, runId } of denied) {
    const taken = runs.filter(({ from, to }) => from <= answeredAt && to > sentAt).length;
    expect(taken, `slots taken when ${runId} was denied`).toBeGreaterThanOrEqual(SLOTS);
  }
  return denied.length;
}

async function expectAllSlotsFree(): Promise<void> {
  const starts = Array.from({ length: SLOTS + 3 }, () => machine.post('/v1/runs/', { user_id: PROBE }));
  const allowed = (await Promise.all(starts)).filter(({ body }) => body.status === 'RUNNING');
  expect(allowed).toHaveLength(SLOTS);
}
