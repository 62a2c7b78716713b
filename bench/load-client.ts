/** Controls the load generator (load-generator.js, a separate process) and returns its results. */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface LoadOptions {
  readonly port: number;
  /** One agent after the other on each connection. */
  readonly connections: number;
  /** The load ends after this time or after this many requests. */
  readonly seconds?: number;
  readonly requests?: number;
  /** Connections are spread over these credentials. */
  readonly apiKeys: readonly string[];
  /** Requests per second over all connections; without it every connection runs at full speed. */
  readonly rate?: number;
  /** Whether every request has a new Idempotency-Key, as those of the SDK do. */
  readonly isKeyed?: boolean;
}

export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  /** Milliseconds, sorted. */
  readonly latencies: Float64Array;
  readonly failures: number;
  /** The share of a core that the generator itself used. */
  readonly cpuShare: number;
}

const GENERATOR = fileURLToPath(new URL('load-generator.js', import.meta.url));

let generator: ChildProcess | undefined;

/** Rejects when a request failed: a figure with failures is invalid. */
export async function generateLoad(options: LoadOptions): Promise<LoadResult> {
  generator ??= startGenerator();
  const answered = once(generator, 'message');
  const { port, connections, seconds, requests, apiKeys, rate, isKeyed = false } = options;
  generator.send({ port, connections, seconds, requests, apiKeys, rate, isKeyed });
  const [{ result, error }] = (await answered) as [
    { result?: LoadResult & { firstFailure: string | null }; error?: string },
  ];
  if (result === undefined) throw new Error(`The load generator failed: ${error}`);
  if (result.failures > 0)
    throw new Error(`${result.failures} requests failed; first: ${result.firstFailure}`);
  return result;
}

export function percentile({ latencies }: LoadResult, share: number): number {
  return latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? Number.NaN;
}

/** Stays for all loads of a figure, so that it is warm, and ends with the process that started it. */
function startGenerator(): ChildProcess {
  const child = fork(GENERATOR, { execArgv: [], serialization: 'advanced' });
  child.once('exit', () => {
    generator = undefined;
  });
  child.unref();
  child.channel?.unref();
  return child;
}
