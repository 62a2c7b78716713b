/** A new store with a clock that tests move, and data to put into it. */

import { randomBytes, randomUUID } from 'node:crypto';
import type { Account } from '../../src/domain/account.js';
import type { ApiKey } from '../../src/domain/api-key.js';
import type { Plan } from '../../src/domain/plan.js';
import { uuidV7 } from '../../src/domain/uuid.js';
import { newWorkspace, type Workspace } from '../../src/domain/workspace.js';
import type { MachineCaller } from '../../src/engine/command.js';
import { Engine } from '../../src/engine/engine.js';
import { LocalCommitter } from '../../src/engine/local-committer.js';
import type { RunReply, StepReply } from '../../src/engine/replies.js';
import { openStore } from '../../src/store/open-store.js';
import type { NewPrice, Store } from '../../src/store/store.js';
import { BY_TEST } from './by-test.js';
import { newCreateStep, newStartRun } from './seed.js';
import { TestClock } from './test-clock.js';
import { createTestDatabase, type TestStore, testStore } from './test-database.js';

export interface StoreFixture {
  readonly store: Store;
  readonly url: string;
  readonly clock: TestClock;
  readonly engine: Engine;
  newId(): string;
  newTenant(given?: { email?: string; name?: string; plan?: Plan }): Promise<StoreTenant>;
  startRun(tenant: StoreTenant, given?: NewRun): Promise<RunReply>;
  createStep(tenant: StoreTenant, given: NewStep): Promise<StepReply>;
  close(): Promise<void>;
}

export interface NewRun {
  readonly userId?: string;
  readonly metadata?: string | null;
  readonly leaseSeconds?: number;
}

export interface NewStep {
  readonly runId: string;
  readonly model: string | null;
  readonly sequence?: number;
  readonly inputData?: string | null;
}

export interface StoreTenant {
  readonly workspace: Workspace;
  readonly account: Account;
  readonly apiKey: ApiKey;
  readonly caller: MachineCaller;
}

const SILENT_OBSERVER = { decided: () => {} };

export async function openStoreFixture(kind: TestStore = testStore()): Promise<StoreFixture> {
  const database = await createTestDatabase(kind);
  const clock = new TestClock();
  const store = await openStore({
    databaseUrl: database.url,
    poolMax: 4,
    timeoutMs: 10_000,
    clock: clock.now,
  });
  const newId = () => uuidV7(clock.now(), randomUUID());
  const engine = new Engine({ committer: new LocalCommitter(store.batches), observer: SILENT_OBSERVER });
  return {
    store,
    url: database.url,
    clock,
    engine,
    newId,
    newTenant: async ({ email = `${newId()}@example.com`, name = 'Acme', plan = 'scale' } = {}) => {
      const tenant = newTenant({ newId, now: clock.now(), email, name, plan });
      if (
        !(await store.accounts.register(
          { account: tenant.account, workspace: tenant.workspace, apiKey: tenant.apiKey },
          BY_TEST,
        ))
      ) {
        throw new Error(`${email} is taken`);
      }
      return tenant;
    },
    startRun: ({ caller }, given) => engine.startRun(caller, newStartRun({ ...given, id: newId() })),
    createStep: ({ caller }, given) => engine.createStep(caller, newCreateStep({ ...given, id: newId() })),
    close: async () => {
      await store.close();
      await database.drop();
    },
  };
}

export function newTenant(given: {
  newId: () => string;
  now: number;
  email: string;
  name: string;
  plan: Plan;
}): StoreTenant {
  const { newId, now, email, name, plan } = given;
  const workspace = newWorkspace({ id: newId(), name, plan, now });
  const account: Account = {
    id: newId(),
    workspaceId: workspace.id,
    email,
    name: null,
    passwordHash: 'hash',
    tokenVersion: 1,
    role: 'owner',
    createdAt: now,
  };
  const apiKey = newTestApiKey({ newId, now, workspaceId: workspace.id });
  return {
    workspace,
    account,
    apiKey,
    caller: { workspaceId: workspace.id, apiKeyId: apiKey.id },
  };
}

export function newTestApiKey(given: { newId: () => string; now: number; workspaceId: string }): ApiKey {
  return {
    id: given.newId(),
    workspaceId: given.workspaceId,
    prefix: randomBytes(4).toString('hex'),
    secretHash: randomBytes(32).toString('hex'),
    label: null,
    scope: 'admin',
    userId: null,
    createdBy: null,
    isActive: true,
    createdAt: given.now,
    lastUsedAt: null,
  };
}

/** More than any test has. */
export const MANY_PRICES = { maxPrices: 1_000_000 };
export const MANY_KEYS = { maxActive: 1_000_000 };

export function newPrice(given: { id: string; model: string; inputAttoUsd: bigint }): NewPrice {
  return {
    outputAttoUsd: given.inputAttoUsd * 2n,
    cacheReadAttoUsd: null,
    cacheWriteAttoUsd: null,
    isActive: true,
    ...given,
  };
}
