import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { AccountTokens } from '../auth/account-tokens.js';
import { PasswordHasher } from '../auth/password-hasher.js';
import type { Config } from '../config.js';
import { Accounts, type Registration } from '../control/accounts.js';
import { ApiKeys } from '../control/api-keys.js';
import type { Origin } from '../domain/audit.js';
import { uuidV7 } from '../domain/uuid.js';
import { Engine } from '../engine/engine.js';
import { LocalCommitter } from '../engine/local-committer.js';
import { openStore } from '../store/open-store.js';
import type { BatchStore, Store } from '../store/store.js';
import type { Command } from './command.js';
import { DEMO_DAYS, DemoMonth } from './demo-month.js';
import { SeededRandom } from './seeded-random.js';
import { VirtualTimeline } from './virtual-timeline.js';

const SEED = 20_260_314;
const DAY_MS = 86_400_000;

export const demo: Command = {
  name: 'demo',
  summary: 'Create a workspace with a month of sample data',
  parameters: [],
  help: `Creates an account and a workspace, fills it with a month of runs, steps, prices and denials, and prints the
credentials. The data is the same each time. Other workspaces are not changed, and the service may be running. Each call
creates another workspace.`,
  run: async (_args, config) => {
    process.stderr.write(`Creating ${DEMO_DAYS} days of runs …\n`);
    const { email, password, apiKey } = await playDemo(config, Date.now());
    process.stdout.write(`
  A demo workspace is ready.

  E-mail    ${email}
  Password  ${password}
  API key   ${apiKey}

  ${await whereToSignIn(config)}

`);
    return 0;
  },
};

/** How long a running service may take to answer. */
const PROBE_TIMEOUT_MS = 1_000;

/** The service may be started with another PORT than this command has, or choose one: an address is promised only if it answers. */
async function whereToSignIn({ publicUrl }: Config): Promise<string> {
  const isServed = await fetch(`${publicUrl}/health`, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (isServed) return `Sign in at ${publicUrl}`;
  const where = 'sign in at the address that it prints';
  if (new URL(publicUrl).port === '0') return `Start the service, and ${where}.`;
  return `No service answers at ${publicUrl}. Start it, and ${where}.`;
}

interface DemoSignIn {
  readonly email: string;
  readonly password: string;
  readonly apiKey: string;
}

/** The month ends at `end`. */
export async function playDemo(config: Config, end: number): Promise<DemoSignIn> {
  const timeline = new VirtualTimeline(end - (DEMO_DAYS + 1) * DAY_MS);
  const store = await openStore({ databaseUrl: config.databaseUrl, clock: timeline.now });
  const random = new SeededRandom(SEED);
  const newId = () => uuidV7(timeline.now(), randomUUID());
  try {
    const email = await unusedEmail(store);
    const password = randomBytes(9).toString('base64url');
    const registration = await register({ store, config, timeline, newId, email, password });
    const { workspaceId } = registration.account;
    const { id, email: label } = registration.account;
    const origin: Origin = { actor: { type: 'account', id, label }, requestId: null, ipAddress: null };
    const { apiKey } = await new ApiKeys({ store, newId }).create(
      {
        workspaceId,
        label: 'production',
        scope: 'agent',
        userId: null,
      },
      origin,
    );
    const engine = new Engine({
      committer: new LocalCommitter(withPauses(store.batches)),
      observer: { decided: () => {} },
    });
    const caller = { workspaceId, apiKeyId: apiKey.id };
    await new DemoMonth({ store, engine, timeline, random, caller, origin, newId, end }).play();
    await engine.drained();
    await store.apiKeys.markUsed({ workspaceId, apiKeyId: apiKey.id, usedAt: end });
    return { email, password, apiKey: registration.apiKey };
  } finally {
    await store.close();
  }
}

/** Time with the write lock between two pauses. */
const WRITING_MS = 40;
const PAUSE_MS = 20;

/**
 * Pauses regularly, so that a service that runs on the same file can write: SQLite has no queue for its write lock.
 */
function withPauses(batches: BatchStore): BatchStore {
  let writingMs = 0;
  return {
    commit: async (needs, decide) => {
      const startedAt = performance.now();
      await batches.commit(needs, decide);
      writingMs += performance.now() - startedAt;
      if (writingMs < WRITING_MS) return;
      writingMs = 0;
      await setTimeout(PAUSE_MS);
    },
  };
}

async function register(given: {
  store: Store;
  config: Config;
  timeline: VirtualTimeline;
  newId: () => string;
  email: string;
  password: string;
}): Promise<Registration> {
  const { store, config, timeline, newId, email, password } = given;
  const accounts = new Accounts({
    store,
    hasher: await PasswordHasher.create(),
    // The token of the registration is not used: users sign in with the password.
    tokens: new AccountTokens({
      secret: randomBytes(32).toString('hex'),
      ttlSeconds: config.jwtTtlSeconds,
      clock: timeline.now,
    }),
    newId,
    defaultPlan: 'scale',
    registrationsPerHour: config.registrationsPerHour,
    clock: timeline.now,
  });
  return accounts.register({
    email,
    password,
    name: 'Demo',
    workspaceName: 'Northwind Robotics',
    source: null,
  });
}

/** demo@example.com, then demo-2@example.com, and so on. */
async function unusedEmail(store: Store): Promise<string> {
  for (let number = 1; ; number += 1) {
    const email = number === 1 ? 'demo@example.com' : `demo-${number}@example.com`;
    if ((await store.accounts.findByEmail(email)) === null) return email;
  }
}
