/**
 * Backups of a real service that never stops writing: each is a complete database with everything that was acknowledged
 * before it began, and a service can continue from it.
 */

import { expect, vi } from 'vitest';
import { openStore } from '../../src/store/open-store.js';
import { AcknowledgedLoad } from './acknowledged-load.js';
import { createStep, endRun, startRun, updateStep } from './agent.js';
import { ApiClient } from './api-client.js';
import { registerLoadWorkspace } from './load-workspace.js';
import { runCommandAsync, startServiceProcess } from './service-process.js';

const CLIENTS = 16;
/** The share of clients that send Idempotency-Keys. */
const KEYED_SHARE = 0.5;
/** Writes before each backup, and at least one while it is taken. */
const WRITES_PER_BACKUP = 300;
const LOAD_TIMEOUT_MS = 60_000;

export interface BackupFigures {
  readonly acknowledged: number;
  readonly duringBackups: number;
}

export async function expectBackupsUnderLoad(given: {
  databaseUrl: string;
  backups: number;
  seed: number;
  /** Takes a backup and restores it to a database; returns its URL. */
  backUp: (index: number) => Promise<string>;
}): Promise<BackupFigures> {
  const service = await startServiceProcess(environmentOf(given.databaseUrl));
  const { apiKey, workspaceId } = await registerLoadWorkspace(service.url);
  const newLoad = () =>
    new AcknowledgedLoad({
      urls: () => [service.url],
      apiKey,
      clients: CLIENTS,
      seed: given.seed,
      keyedShare: KEYED_SHARE,
    });
  const figures = { acknowledged: 0, duringBackups: 0 };
  let load = newLoad();
  for (let index = 0; index < given.backups; index += 1) {
    await vi.waitUntil(() => load.acknowledgedCount >= WRITES_PER_BACKUP, { timeout: LOAD_TIMEOUT_MS });
    // The next clients write before the earlier ones stop: the service is never idle.
    const earlier = load;
    load = newLoad();
    await earlier.stop();
    const before = load.acknowledgedCount;
    const backupUrl = await given.backUp(index);
    const duringBackup = load.acknowledgedCount - before;
    expect(duringBackup, 'writes while the backup was taken').toBeGreaterThan(0);
    figures.acknowledged += earlier.acknowledgedCount;
    figures.duringBackups += duringBackup;

    await expectWhole({ backupUrl, load: earlier, workspaceId });
    await expectGoesOn({ backupUrl, apiKey });
  }
  await load.stop();
  expect(await service.stop('SIGTERM')).toBe(0);
  return figures;
}

async function expectWhole(given: {
  backupUrl: string;
  load: AcknowledgedLoad;
  workspaceId: string;
}): Promise<void> {
  const store = await openStore({ databaseUrl: given.backupUrl, poolMax: 2, timeoutMs: 10_000 });
  try {
    await given.load.expectStored(store, given.workspaceId);
  } finally {
    await store.close();
  }
  await expectVerified(given.backupUrl);
}

async function expectGoesOn({ backupUrl, apiKey }: { backupUrl: string; apiKey: string }): Promise<void> {
  const service = await startServiceProcess(environmentOf(backupUrl));
  const machine = new ApiClient(service.url, apiKey);
  const { id: runId, status } = await startRun(machine);
  expect(status).toBe('RUNNING');
  const { id: stepId } = await createStep(machine, runId);
  await updateStep(machine, { runId, stepId }, { prompt_tokens: 1 });
  await endRun(machine, runId);
  expect((await machine.get(`/v1/runs/${runId}`)).body).toMatchObject({
    status: 'COMPLETED',
    total_tokens: 1,
  });
  expect(await service.stop('SIGTERM')).toBe(0);
  await expectVerified(backupUrl);
}

async function expectVerified(databaseUrl: string): Promise<void> {
  const { code, stdout } = await runCommandAsync(['verify'], environmentOf(databaseUrl));
  expect(stdout).toMatch(/^0 differences/);
  expect(code).toBe(0);
}

function environmentOf(databaseUrl: string): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    DEFAULT_PLAN: 'enterprise',
    LOG_LEVEL: 'warn',
    DATABASE_TIMEOUT_MS: '10000',
  };
}
