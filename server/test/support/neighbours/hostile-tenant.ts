/** A hostile tenant beside light agents of other workspaces: what they notice of it. */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ApiClient } from '../api-client.js';
import { HOSTILE_BODIES } from '../hostile-bodies.js';
import { expectStatus } from '../test-service.js';

/** As in the Dockerfile: what glibc has freed goes back to the system instead of staying with the thread that used it. */
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
  readonly runId: string;
  readonly heavyRunId: string;
}

/** Whose account the hostile tenant tries to take, and whose e-mail it registers again and again. */
export async function registerOwner({ url }: { url: string }, email: string): Promise<void> {
  const account = { email, password: 'only the owner knows' };
  expectStatus(await new ApiClient(url, null).post('/v1/auth/register', account), 201);
}

/** Fills the hostile tenant's own workspace with what makes its reads heavy. */
export async function prepareTarget(
  { url }: { url: string },
  apiKey: string,
  size: { steps: number; models: number; users: number; prices: number },
): Promise<HostileTarget> {
  const machine = new ApiClient(url, apiKey);
  const start = async (userId: string, metadata: object = {}) =>
    expectStatus(await machine.post('/v1/runs/', { user_id: userId, metadata }), 201).body.id as string;
  const runId = await start('mallory');
  const heavyRunId = await start('mallory', { text: 'x'.repeat(900_000) });
  const payload = { text: 'x'.repeat(900_000) };
  await inParallel(8, size.steps, async (index) => {
    const step = { type: 'TOOL_CALL', sequence: index + 1, tool_name: 't', input_data: payload };
    await retried(() => machine.post(`/v1/runs/${heavyRunId}/steps`, step));
  });
  await inParallel(32, size.models, async (index) => {
    const step = { type: 'MODEL_CALL', sequence: 1, model: `model-${index}` };
    const { id } = (await retried(() => machine.post(`/v1/runs/${runId}/steps`, step))).body;
    const report = { status: 'COMPLETED', prompt_tokens: 1, completion_tokens: 1 };
    await retried(() => machine.patch(`/v1/runs/${runId}/steps/${id}`, report));
  });
  await inParallel(32, size.users, async (index) => void (await start(`user-${index}`)));
  await inParallel(8, size.prices, async (index) => {
    const price = { input_cost_per_token: 0.000001, output_cost_per_token: 0 };
    await retried(() => machine.put(`/v1/model-pricing/priced-${index}`, price));
  });
  return { apiKey, runId, heavyRunId };
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
    /** How long a connection of an attack waits after each answer. */
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

/** What the process has taken at most since it started, in bytes. */
export function peakMemoryOf(pid: number): number {
  const [, kibibytes = '0'] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) * 1024;
}

async function inParallel(
  workers: number,
  count: number,
  work: (index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: workers }, worker));
}

async function retried(send: () => Promise<{ status: number; body: { id: string } }>) {
  for (;;) {
    const reply = await send();
    if (reply.status < 300) return reply;
    if (reply.status !== 503) throw new Error(`Unexpected answer ${reply.status}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
