/**
 * Changes on four instances, which are killed meanwhile: every acknowledged change has exactly one entry in the audit log, no
 * entry is without its change, and entries are in the order in which the changes took effect: each one begins with what the
 * one before it left.
 */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { SeededRandom } from '../../src/cli/seeded-random.js';
import { openStore } from '../../src/store/open-store.js';
import type { Store } from '../../src/store/store.js';
import { ApiClient, type ApiReply } from '../support/api-client.js';
import { campaignSeed, campaignSize, reportCampaign } from '../support/campaign.js';
import { registerLoadWorkspace } from '../support/load-workspace.js';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { createPostgresDatabase, serverUrl } from '../support/test-database.js';

const CHANGES = campaignSize({ short: 150, full: 2_000 });
const INSTANCES = 4;
const CLIENTS = 8;
const AGENTS = 4;
/** After so many changes an instance is killed and replaced. */
const CHANGES_PER_KILL = 20;
const MODEL = 'gpt';
const USER = 'ada';

let instances: ServiceProcess[];
let environment: Record<string, string>;
let store: Store;
let dropDatabase: () => Promise<void>;
beforeAll(async () => {
  const database = await createPostgresDatabase(serverUrl());
  dropDatabase = database.drop;
  environment = {
    DATABASE_URL: database.url,
    DEFAULT_PLAN: 'enterprise',
    LOG_LEVEL: 'fatal',
    DATABASE_POOL_MAX: '4',
  };
  instances = await Promise.all(Array.from({ length: INSTANCES }, () => startServiceProcess(environment)));
  store = await openStore({ databaseUrl: database.url, poolMax: 2, timeoutMs: 30_000 });
});
afterAll(async () => {
  await Promise.all(instances.map((instance) => instance.stop('SIGTERM')));
  await store.close();
  await dropDatabase();
});

interface Entry {
  readonly id: string;
  readonly action: string;
  readonly target: string | null;
  readonly before: Record<string, unknown> | null;
  readonly after: Record<string, unknown> | null;
}

/** A change of one value, which is in the entry. Values of budgets and prices occur once. */
interface Change {
  readonly send: (client: ApiClient, value: number) => Promise<ApiReply>;
  /** The value in the fields of an entry that belongs to this kind of change. */
  readonly valueIn: (entry: Entry, fields: Record<string, unknown> | null) => unknown;
}

const CHANGE_KINDS: Readonly<Record<string, Change>> = {
  budget: {
    send: (client, value) => client.patch('/v1/workspace/', { daily_budget_usd: value }),
    valueIn: ({ action }, fields) =>
      action === 'workspace.updated' ? fields?.['daily_budget_usd'] : undefined,
  },
  price: {
    send: (client, value) =>
      client.put(`/v1/model-pricing/${MODEL}`, { input_cost_per_token: 0, output_cost_per_token: value }),
    valueIn: ({ action, target }, fields) =>
      action === 'price.set' && target === MODEL ? fields?.['output_cost_per_token'] : undefined,
  },
};

test(`${CHANGES} changes, and agents that are stopped, each have exactly one entry, in the order of their effects`, async () => {
  const random = new SeededRandom(campaignSeed('audit across instances'));
  const { apiKey, workspaceId } = await registerLoadWorkspace(instances[0]?.url ?? '');
  const client = () =>
    new ApiClient(instances[Math.floor(random.next() * instances.length)]?.url ?? '', apiKey);
  const first = client();
  await first.patch('/v1/workspace/', { max_concurrent_runs: 1_000_000 });
  for (const { send } of Object.values(CHANGE_KINDS)) await send(first, 0);

  let isOver = false;
  let sent = 0;
  const acknowledged = { changes: new Map<string, number[]>(), stops: new Set<string>() };
  const figures = { changes: 0, 'without answer': 0, 'killed instances': 0, 'runs stopped': 0, entries: 0 };
  /** null: no answer, because the instance was killed. */
  const attempt = (request: Promise<ApiReply>) =>
    request.then(
      (reply) => {
        if (reply.status < 300) return reply;
        expect(reply.status).toBe(503);
        return null;
      },
      () => null,
    );
  const change = async () => {
    while (sent < CHANGES) {
      sent += 1;
      const value = sent;
      const names = [...Object.keys(CHANGE_KINDS), 'block'];
      const name = names[Math.floor(random.next() * names.length)] ?? '';
      const reply = await attempt(
        CHANGE_KINDS[name]?.send(client(), value) ??
          client().post(`/v1/users/${USER}/${random.next() < 0.5 ? 'block' : 'unblock'}`),
      );
      if (reply === null) figures['without answer'] += 1;
      else if (name !== 'block')
        acknowledged.changes.set(name, [...(acknowledged.changes.get(name) ?? []), value]);
      figures.changes += 1;
    }
  };
  const work = async (index: number) => {
    while (!isOver) {
      const started = await attempt(client().post('/v1/runs/', { user_id: `user-${index}` }));
      if (started === null || started.body.status !== 'RUNNING') continue;
      const { id } = started.body;
      const stopped = await attempt(client().post(`/v1/runs/${id}/stop`));
      if (stopped !== null) acknowledged.stops.add(id);
    }
  };
  const kill = async () => {
    while (!isOver) {
      const due = (figures['killed instances'] + 1) * CHANGES_PER_KILL;
      while (figures.changes < due && !isOver) await new Promise((resolve) => setImmediate(resolve));
      if (isOver) return;
      figures['killed instances'] += 1;
      const replacement = startServiceProcess(environment);
      await instances.shift()?.stop('SIGKILL');
      instances.push(await replacement);
    }
  };
  const background = [kill(), ...Array.from({ length: AGENTS }, (_, index) => work(index))];
  await Promise.all(Array.from({ length: CLIENTS }, change));
  isOver = true;
  await Promise.all(background);

  const entries = await allEntries(client());
  expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
  const { body: workspace } = await client().get('/v1/workspace/');
  const { body: prices } = await client().get('/v1/model-pricing/');
  const now: Record<string, unknown> = {
    budget: workspace.daily_budget_usd,
    price: prices[0].output_cost_per_token,
  };
  for (const [name, { valueIn }] of Object.entries(CHANGE_KINDS)) {
    const own = entries.filter((entry) => valueIn(entry, entry.after) !== undefined);
    const after = own.map((entry) => valueIn(entry, entry.after));
    expect(new Set(after).size, name).toBe(after.length);
    expect(after, name).toEqual(expect.arrayContaining(acknowledged.changes.get(name) ?? []));
    // The first one was made before, the last one is in force.
    expect(
      own.slice(1).map((entry) => valueIn(entry, entry.before)),
      name,
    ).toEqual(after.slice(0, -1));
    expect(after.at(-1), name).toBe(now[name]);
  }
  const blocks = entries.filter(({ target }) => target === USER);
  expect(blocks.map(({ action }) => action)).toEqual(
    blocks.map((_, index) => (index % 2 === 0 ? 'user.blocked' : 'user.unblocked')),
  );
  const stops = entries.filter(({ action }) => action === 'run.stopped').map(({ target }) => target);
  expect(new Set(stops).size).toBe(stops.length);
  expect(stops).toEqual(expect.arrayContaining([...acknowledged.stops]));
  for (const id of stops) {
    const run = await store.runs.find({ workspaceId, runId: id ?? '' });
    expect(run?.endReason).toBe('STOPPED');
  }
  expect((await store.maintenance.verify()).differences).toEqual([]);
  figures['runs stopped'] = stops.length;
  figures.entries = entries.length;
  reportCampaign('audit across instances', figures);
}, 1_800_000);

/** Oldest first. */
async function allEntries(client: ApiClient): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (let page = 1; ; page += 1) {
    const { items, total } = (await client.get(`/v1/audit-log/?per_page=100&page=${page}`)).body;
    entries.push(...items);
    if (entries.length >= total) return entries.reverse();
  }
}
