/** A hostile tenant beside light agents of other workspaces, to measure its effect on them. */

import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ApiClient } from '../api-client.js';
import { BY_TEST } from '../by-test.js';
import { HOSTILE_BODIES } from '../hostile-bodies.js';
import { repeated, type SeedTarget, type StepSeed, seedRuns, seedService } from '../seed.js';
import { MANY_PRICES, newPrice } from '../store-fixture.js';
import { expectStatus } from '../test-service.js';

/** As in the Dockerfile: freed memory returns to the system instead of staying with the thread that used it. */
export const IMAGE_MEMORY_SETTINGS = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' };

export const ATTACKS = [
  'large steps',
  'flood of small steps',
  'hostile bodies',
  'heavy runs',
  'reports',
  'registrations',
  'settings',
] as const;
export type AttackName = (typeof ATTACKS)[number];

/** By attack and then by status, or by the code of an error. */
export type AttackAnswers = Readonly<Record<string, Readonly<Record<string, number>>>>;

const HOSTILE_PROCESS = fileURLToPath(new URL('hostile-process.js', import.meta.url));
const LARGE_BODY = 1024 * 1024;
const SMALL_BODY = 16 * 1024;

export interface HostileTarget {
  readonly apiKey: string;
  /** Of its owner, who can invite members. */
  readonly token?: string;
  readonly runId: string;
  readonly heavyRunId: string;
}

/** The account that the hostile tenant tries to sign in to, and whose e-mail it registers repeatedly. */
export async function registerOwner({ url }: { url: string }, email: string): Promise<void> {
  const account = { email, password: 'only the owner knows' };
  expectStatus(await new ApiClient(url, null).post('/v1/auth/register', account), 201);
}

/** Fills the hostile tenant's own workspace with data that makes its reads expensive. */
export async function prepareTarget(
  databaseUrl: string,
  apiKey: string,
  size: { steps: number; models: number; users: number; prices: number },
): Promise<HostileTarget> {
  return seedService({ databaseUrl }, apiKey, async (target) => {
    const payload = JSON.stringify({ text: 'x'.repeat(900_000) });
    const large = { type: 'TOOL_CALL' as const, model: null, toolName: 't', inputData: payload };
    const [run, heavyRun] = await seedRuns(target, [
      { userId: 'mallory', steps: modelCalls(size.models) },
      { userId: 'mallory', metadata: payload, steps: repeated(size.steps, large) },
      ...Array.from({ length: size.users }, (_, index) => ({ userId: `user-${index}` })),
    ]);
    if (run === undefined || heavyRun === undefined) throw new Error('Every seed is a run');
    for (let index = 0; index < size.prices; index += 1) await putPrice(target, `priced-${index}`);
    return { apiKey, runId: run.id, heavyRunId: heavyRun.id };
  });
}

/** One of each model. */
function modelCalls(count: number): StepSeed[] {
  const report = { promptTokens: 1, completionTokens: 1 };
  return Array.from({ length: count }, (_, index) => ({ sequence: 1, model: `model-${index}`, report }));
}

async function putPrice({ store, caller }: SeedTarget, model: string): Promise<void> {
  const price = newPrice({ id: randomUUID(), model, inputAttoUsd: 10n ** 12n });
  await store.prices.put({ workspaceId: caller.workspaceId, price, ...MANY_PRICES }, BY_TEST);
}

export class HostileTenant {
  readonly #child: ChildProcess;
  readonly #target: HostileTarget;
  readonly #ownerEmail: string;
  readonly #ports: readonly number[];
  readonly #pauseMs: Readonly<Partial<Record<AttackName, number>>>;

  constructor(given: {
    target: HostileTarget;
    ownerEmail: string;
    ports: readonly number[];
    /** The pause of a connection after each answer. */
    pauseMs?: Readonly<Partial<Record<AttackName, number>>>;
  }) {
    this.#target = given.target;
    this.#ownerEmail = given.ownerEmail;
    this.#ports = given.ports;
    this.#pauseMs = given.pauseMs ?? {};
    this.#child = fork(HOSTILE_PROCESS, { execArgv: [], serialization: 'advanced' });
  }

  async begin(names: readonly AttackName[]): Promise<void> {
    await this.#tell({
      kind: 'begin',
      names,
      ports: this.#ports,
      pauseMs: this.#pauseMs,
      tenant: this.#target,
      ownerEmail: this.#ownerEmail,
      hostileBodies: {
        large: HOSTILE_BODIES.map(({ make }) => make(LARGE_BODY)),
        small: HOSTILE_BODIES.map(({ make }) => make(SMALL_BODY)),
      },
    });
  }

  async end(): Promise<AttackAnswers> {
    return (await this.#tell({ kind: 'end' })) as AttackAnswers;
  }

  stop(): void {
    this.#child.kill();
  }

  async #tell(message: object): Promise<unknown> {
    const answered = once(this.#child, 'message');
    this.#child.send(message);
    const [{ result }] = (await answered) as [{ result: unknown }];
    return result;
  }
}

/** The peak memory of the process since its start, in bytes. */
export function peakMemoryOf(pid: number): number {
  const [, kibibytes = '0'] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) * 1024;
}
