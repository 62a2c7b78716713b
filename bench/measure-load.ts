/** Load on a subject, with the CPU that each process used: a server that is not busy was not the bottleneck. */

import { median } from './figure.js';
import { generateLoad, type LoadResult } from './load-client.js';
import { type BenchDatabase, cpuMsOfProcess, type Subject } from './subjects.js';

export interface LoadMeasurement extends LoadResult {
  readonly rate: number;
  /** Of one core. */
  readonly serverCpuShare: number;
  /** Processes of the database, if it has any. */
  readonly databaseCpuShare: number;
}

export async function measureLoad(given: {
  subject: Subject;
  database?: BenchDatabase | undefined;
  connections: number;
  seconds: number;
  rate?: number;
  isKeyed?: boolean;
}): Promise<LoadMeasurement> {
  const { subject, database, ...options } = given;
  const cpuMs = () => [cpuMsOfProcess(subject.pid), database?.cpuMs() ?? 0] as const;
  const [serverBefore, databaseBefore] = cpuMs();
  const begun = performance.now();
  const result = await generateLoad({ ...options, port: subject.port, apiKeys: subject.apiKeys });
  const elapsedMs = performance.now() - begun;
  const [serverAfter, databaseAfter] = cpuMs();
  return {
    ...result,
    rate: result.requests / result.seconds,
    serverCpuShare: (serverAfter - serverBefore) / elapsedMs,
    databaseCpuShare: (databaseAfter - databaseBefore) / elapsedMs,
  };
}

/** The medians as text. */
export function describeLoad(name: string, measured: readonly LoadMeasurement[]): string {
  const percent = (share: (one: LoadMeasurement) => number) =>
    `${Math.round(median(measured.map(share)) * 100)} %`;
  const database = measured.some(({ databaseCpuShare }) => databaseCpuShare > 0)
    ? `, database ${percent(({ databaseCpuShare }) => databaseCpuShare)}`
    : '';
  const rate = Math.round(median(measured.map((one) => one.rate)));
  return `${name} ${rate}/s (CPU: server ${percent(({ serverCpuShare }) => serverCpuShare)}${database}, generator ${percent(({ cpuShare }) => cpuShare)})`;
}
