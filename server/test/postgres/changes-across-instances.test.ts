/** Decisions that begin after a change of kill switch, block, budget or key was acknowledged see it, on every instance. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiReply } from '../support/api-client.js';
import { campaignSize } from '../support/campaign.js';
import { type GroupTenant, type ServiceGroup, startServiceGroup } from '../support/service-group.js';
import { expectStatus } from '../support/test-service.js';

const INSTANCES = 4;
const FLIPS = campaignSize({ short: 30, full: 2_000 });
const BACKGROUND_CLIENTS = 4;

let group: ServiceGroup;
beforeAll(async () => {
  group = await startServiceGroup(INSTANCES);
});
afterAll(() => group.stop());

interface Flip {
  readonly name: string;
  readonly reason: string;
  on(tenant: GroupTenant, instance: number): Promise<ApiReply>;
  off(tenant: GroupTenant, instance: number): Promise<ApiReply>;
}

const USER = 'flipped';

const FLIP_KINDS: readonly Flip[] = [
  {
    name: 'kill switch',
    reason: 'KILL_SWITCH_ACTIVE',
    on: (tenant, instance) => tenant.client(instance).post('/v1/workspace/kill-switch', { active: true }),
    off: (tenant, instance) => tenant.client(instance).post('/v1/workspace/kill-switch', { active: false }),
  },
  {
    name: 'block',
    reason: 'USER_BLOCKED',
    on: (tenant, instance) => tenant.client(instance).post(`/v1/users/${USER}/block`),
    off: (tenant, instance) => tenant.client(instance).post(`/v1/users/${USER}/unblock`),
  },
  {
    name: 'budget',
    reason: 'WORKSPACE_DAILY_BUDGET_EXCEEDED',
    on: (tenant, instance) => tenant.client(instance).patch('/v1/workspace/', { daily_budget_usd: 0 }),
    off: (tenant, instance) => tenant.client(instance).patch('/v1/workspace/', { daily_budget_usd: null }),
  },
];

test(`${FLIPS} flips under load: every decision that begins after a flip takes it into account`, async () => {
  const tenant = await group.register('enterprise');
  expectStatus(await tenant.client(0).patch('/v1/workspace/', { max_concurrent_runs: 1_000_000 }), 200);
  const { body: run } = expectStatus(await tenant.client(0).post('/v1/runs/', { user_id: USER }), 201);
  let isOver = false;
  const load = Array.from({ length: BACKGROUND_CLIENTS }, async (_, index) => {
    while (!isOver) expectStatus(await tenant.client(index).post('/v1/runs/', { user_id: USER }), 201);
  });
  try {
    for (let flip = 0; flip < FLIPS; flip += 1) {
      const kind = FLIP_KINDS[flip % FLIP_KINDS.length];
      if (kind === undefined) throw new Error('There are no kinds of flips');
      expectStatus(await kind.on(tenant, flip), 200);
      expect(await decisions(tenant, run.id), `${kind.name} on, flip ${flip}`).toEqual(
        Array(2 * INSTANCES).fill(kind.reason),
      );
      expectStatus(await kind.off(tenant, flip + 1), 200);
      expect(await decisions(tenant, run.id), `${kind.name} off, flip ${flip}`).toEqual(
        Array(2 * INSTANCES).fill(null),
      );
    }
  } finally {
    isOver = true;
    await Promise.all(load);
  }
  const report = await group.apps[0]?.store.maintenance.verify();
  expect(report?.differences).toEqual([]);
}, 1_800_000);

test('regenerating the key revokes the old one on every instance at once', async () => {
  const tenant = await group.register();
  expectStatus(await tenant.client(2).post('/v1/api-keys/regenerate'), 200);
  for (let instance = 0; instance < INSTANCES; instance += 1) {
    expect((await tenant.client(instance).post('/v1/runs/', { user_id: 'ada' })).status).toBe(401);
  }
});

/** The deny reasons of a run start and of a step on every instance, all requested at the same time. */
async function decisions(tenant: GroupTenant, runId: string): Promise<(string | null)[]> {
  const replies = await Promise.all(
    Array.from({ length: INSTANCES }, (_, instance) => [
      tenant.client(instance).post('/v1/runs/', { user_id: USER }),
      tenant.client(instance).post(`/v1/runs/${runId}/steps`, { type: 'SYSTEM', sequence: 1 }),
    ]).flat(),
  );
  return replies.map((reply) => expectStatus(reply, 201).body.decision.reason);
}
