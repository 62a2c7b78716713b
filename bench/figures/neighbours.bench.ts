/**
 * A tenant that attacks the service harms only itself: light agents of other workspaces, alone and during each attack, in
 * turns. A failed request of an agent makes the figure invalid.
 */

import { onTestFinished, type TestContext, test } from 'vitest';
import { campaignSize } from '../../server/test/support/campaign.js';
import {
  ATTACKS,
  type AttackName,
  HostileTenant,
  prepareTarget,
  registerOwner,
} from '../../server/test/support/neighbours/hostile-tenant.js';
import { median, recordFigure } from '../figure.js';
import { percentile } from '../load-client.js';
import { measureLoad } from '../measure-load.js';
import {
  type BenchDatabase,
  newPostgresDatabase,
  newSqliteDatabase,
  registerWorkspaces,
  type Subject,
  startPostgresServer,
  startService,
  verifyStore,
} from '../subjects.js';

/** The rate of the agents; far below the capacity of the service. */
const LIGHT = { connections: 8, rate: 50 };
const WORKSPACES = 4;
const ROUNDS = campaignSize({ short: 3, full: 7 });
const SECONDS = campaignSize({ short: 3, full: 10 });
const SETTLE_MS = 1_000;
const OWNER_EMAIL = 'owner@example.com';
const MAX_RATIO_OF_P99 = 4;
const SIZE = campaignSize({
  short: { steps: 150, models: 500, users: 500, prices: 200 },
  full: { steps: 2_200, models: 20_000, users: 20_000, prices: 2_000 },
});

test('neighbours on SQLite', async (context) => measureNeighbours(context, await newSqliteDatabase()));

test('neighbours on PostgreSQL', async (context) =>
  measureNeighbours(context, await newPostgresDatabase(await startPostgresServer())));

async function measureNeighbours(context: TestContext, { name, url }: BenchDatabase): Promise<void> {
  const service = await startService({ name, databaseUrl: url, workspaces: WORKSPACES });
  const [hostileKey = ''] = await registerWorkspaces(service.url, 1);
  await registerOwner(service, OWNER_EMAIL);
  const target = await prepareTarget(url, hostileKey, SIZE);
  const hostile = new HostileTenant({ target, ownerEmail: OWNER_EMAIL, ports: [service.port] });
  onTestFinished(() => hostile.stop());
  await measure(service);
  for (const attack of ATTACKS) {
    const alone: number[] = [];
    const beside: number[] = [];
    let answers = {};
    for (let round = 0; round < ROUNDS; round += 1) {
      alone.push(percentile(await measure(service), 0.99));
      const measured = await measureBeside(service, hostile, attack);
      beside.push(percentile(measured.load, 0.99));
      answers = measured.answers;
    }
    recordFigure(context, {
      name: `p99 of others on ${name} beside ${attack} ÷ alone`,
      value: median(beside) / median(alone),
      goal: { atMost: MAX_RATIO_OF_P99 },
      behind: `${median(beside).toFixed(1)} ms beside, ${median(alone).toFixed(1)} ms alone; the attack was answered ${JSON.stringify(answers)}`,
      samples: { 'beside, ms': beside, 'alone, ms': alone },
    });
  }
  await service.stop();
  await verifyStore(url);
}

const measure = (subject: Subject) => measureLoad({ subject, seconds: SECONDS, ...LIGHT });

async function measureBeside(service: Subject, hostile: HostileTenant, attack: AttackName) {
  await hostile.begin([attack]);
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  try {
    const load = await measure(service);
    return { load, answers: await hostile.end() };
  } catch (error) {
    throw new Error(`Beside ${attack}: ${error}; answers ${JSON.stringify(await hostile.end())}`);
  }
}
