/** Limits are the same with four instances as with one: never exceeded, never under-used, no slot leaked. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { noChanges, noNeeds } from '../support/batch-fixture.js';
import { BY_TEST } from '../support/by-test.js';
import { campaignSize } from '../support/campaign.js';
import { type ServiceGroup, startServiceGroup } from '../support/service-group.js';
import { expectStatus } from '../support/test-service.js';

const INSTANCES = 4;
const STARTS = 50;
const ROUNDS = campaignSize({ short: 5, full: 200 });
const MONTHLY_LIMIT_ROUNDS = campaignSize({ short: 3, full: 200 });
const BASIC_MONTHLY_LIMIT = 1_000;

let group: ServiceGroup;
beforeAll(async () => {
  group = await startServiceGroup(INSTANCES);
});
afterAll(() => group.stop());

test.each([1, 3, 10, 100])(
  `of ${STARTS} simultaneous starts exactly %i are allowed, one for each free slot`,
  async (limit) => {
    const tenant = await group.register('enterprise');
    expectStatus(await tenant.client(0).patch('/v1/workspace/', { max_concurrent_runs: limit }), 200);
    for (let round = 0; round < ROUNDS; round += 1) {
      const replies = await startMany(tenant);
      const allowed = replies.filter(({ body }) => body.decision.outcome === 'ALLOW');
      expect(allowed, `round ${round}`).toHaveLength(Math.min(limit, STARTS));
      for (const { body } of replies.filter(({ body }) => body.decision.outcome === 'DENY')) {
        expect(body.decision.reason).toBe('MAX_CONCURRENT_RUNS_EXCEEDED');
      }
      await Promise.all(
        allowed.map(async ({ body }, index) =>
          expectStatus(
            await tenant.client(index + 1).post(`/v1/runs/${body.id}/end`, { status: 'COMPLETED' }),
            200,
          ),
        ),
      );
    }
    const running = await tenant.client(1).get('/v1/runs/?status=RUNNING');
    expect(running.body.total).toBe(0);
    await expectClean();
  },
  600_000,
);

test('the last run of the month is allowed once', async () => {
  for (let round = 0; round < MONTHLY_LIMIT_ROUNDS; round += 1) {
    const tenant = await group.register('enterprise');
    expectStatus(await tenant.client(0).patch('/v1/workspace/', { max_concurrent_runs: 1_000_000 }), 200);
    await useUp(tenant.workspaceId, BASIC_MONTHLY_LIMIT - 1);
    const app = group.apps[0];
    if (app === undefined) throw new Error('There are no instances');
    await app.store.workspaces.change(tenant.workspaceId, { kind: 'plan', plan: 'basic' }, BY_TEST);
    const replies = await startMany(tenant);
    const allowed = replies.filter(({ body }) => body.decision.outcome === 'ALLOW');
    expect(allowed, `round ${round}`).toHaveLength(1);
    const reasons = new Set(replies.map(({ body }) => body.decision.reason));
    expect(reasons).toEqual(new Set([null, 'MONTHLY_RUN_LIMIT_EXCEEDED']));
  }
}, 600_000);

async function startMany(tenant: Awaited<ReturnType<ServiceGroup['register']>>) {
  const replies = await Promise.all(
    Array.from({ length: STARTS }, (_, index) =>
      tenant.client(index).post('/v1/runs/', { user_id: `user-${index % 7}` }),
    ),
  );
  return replies.map((reply) => expectStatus(reply, 201));
}

/** Sets the count of this month without the runs: only the limit is tested. */
async function useUp(workspaceId: string, startedRuns: number): Promise<void> {
  const store = group.apps[0]?.store;
  if (store === undefined) throw new Error('There are no instances');
  await store.batches.commit([noNeeds(workspaceId)], (facts) =>
    facts.map((found) => ({ ...noChanges(found), startedRuns })),
  );
}

async function expectClean(): Promise<void> {
  const report = await group.apps[0]?.store.maintenance.verify();
  expect(report?.differences).toEqual([]);
}
