/**
 * Agents that die at random moments: each slot is free when the lease ends and not before, no run ends twice, and an agent that
 * sends heartbeats keeps its slot.
 */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { SeededRandom } from '../../src/cli/seeded-random.js';
import type { ApiClient } from '../support/api-client.js';
import { campaignSeed, campaignSize, reportCampaign } from '../support/campaign.js';
import { expectExactCounters } from '../support/exact-counters.js';
import { expectStatus, startTestService, type TestService } from '../support/test-service.js';

const AGENTS = campaignSize({ short: 100, full: 1_000 });
const SLOTS = 20;
const LEASE_SECONDS = 30;
const TICK_MS = 5_000;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

interface Agent {
  readonly runId: string;
  lastWriteAt: number;
  isAlive: boolean;
}

test(`of ${AGENTS} agents that die at random moments, each slot is free when its lease ends and not before`, async () => {
  const random = new SeededRandom(campaignSeed('dying agents'));
  const { machine } = await service.register({ plan: 'enterprise' });
  expectStatus(await machine.patch('/v1/workspace/', { max_concurrent_runs: SLOTS }), 200);
  const agents: Agent[] = [];
  const holdsSlot = ({ lastWriteAt }: Agent) => service.clock.now() < lastWriteAt + LEASE_SECONDS * 1000;
  let [started, deaths, heartbeats, denials] = [0, 0, 0, 0];

  while (started < AGENTS) {
    const taken = agents.filter(holdsSlot).length;
    const wanted = random.integer(1, SLOTS);
    const replies = await Promise.all(Array.from({ length: wanted }, () => start(machine)));
    const allowed = replies.filter(({ status }) => status === 'RUNNING');
    expect(allowed, `${taken} of ${SLOTS} slots are taken`).toHaveLength(Math.min(wanted, SLOTS - taken));
    started += allowed.length;
    denials += wanted - allowed.length;
    const now = service.clock.now();
    agents.push(...allowed.map(({ id }) => ({ runId: id, lastWriteAt: now, isAlive: true })));

    // To the millisecond before or of the end of a lease, or somewhere else.
    const next = random.pick(agents.filter(holdsSlot));
    const leaseEnd = next.lastWriteAt + LEASE_SECONDS * 1000;
    if (random.chance(0.5)) service.clock.advance(leaseEnd - now - random.integer(0, 1));
    else service.clock.advance(random.integer(0, TICK_MS));

    for (const agent of agents.filter(({ isAlive }) => isAlive)) {
      if (random.chance(0.3)) {
        agent.isAlive = false;
        deaths += 1;
      } else if (random.chance(0.8)) {
        const isRunning = holdsSlot(agent);
        const { body } = await machine.post(`/v1/runs/${agent.runId}/heartbeat`);
        expect(body.status).toBe(isRunning ? 'RUNNING' : 'FAILED');
        if (isRunning) agent.lastWriteAt = service.clock.now();
        else agent.isAlive = false;
        heartbeats += 1;
      }
    }
  }

  service.clock.advance(LEASE_SECONDS * 1000);
  for (const { runId, lastWriteAt } of agents) {
    const { body } = await machine.get(`/v1/runs/${runId}`);
    expect(body).toMatchObject({
      status: 'FAILED',
      end_reason: 'LEASE_EXPIRED',
      ended_at: new Date(lastWriteAt + LEASE_SECONDS * 1000).toISOString(),
    });
  }
  const { body } = await machine.get('/v1/runs/?status=FAILED&per_page=1');
  expect(body.total).toBe(agents.length);
  await expectExactCounters(service);
  reportCampaign('dying agents', { agents: started, deaths, heartbeats, denials });
}, 600_000);

async function start(machine: ApiClient): Promise<{ id: string; status: string }> {
  const body = { user_id: 'ada', lease_seconds: LEASE_SECONDS };
  return expectStatus(await machine.post('/v1/runs/', body), 201).body;
}
