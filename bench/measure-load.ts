/** Load on a subject, with the CPU that each process used: a server that is not busy was not the bottleneck. */

import { median } from './figure.js';
import { inTurns } from './in-turns.js';
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

/** The same load on each, in turns, after a round that warms them up. A subject without a database has none of its own. */
export async function measureLoadInTurns(given: {
  subjects: readonly Subject[];
  databaseOf: (subject: Subject) => BenchDatabase | undefined;
  connections: number;
  seconds: number;
  rounds: number;
}): Promise<(subject: Subject) => readonly LoadMeasurement[]> {
  const { subjects, databaseOf, rounds, ...load } = given;
  const measure = (subject: Subject) => measureLoad({ subject, database: databaseOf(subject), ...load });
  await inTurns({ subjects, rounds: 1, measure });
  const measured = await inTurns({ subjects, rounds, measure });
  return (subject) => measured.get(subject) ?? [];
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
