/** The memory of a process, as Linux tells it. */

import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

interface Process {
  readonly pid: number;
}

/** Memory varies with garbage collection: use the median of several readings of the idle process. */
const READINGS = 5;
const READING_EVERY_MS = 400;

export async function residentMegabytes(process: Process): Promise<number[]> {
  const readings: number[] = [];
  while (readings.length < READINGS) {
    await setTimeout(READING_EVERY_MS);
    readings.push(megabytes(process, 'VmRSS'));
  }
  return readings;
}

/** Resident now, or at its peak. */
export function megabytes({ pid }: Process, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const [, kilobytes] = new RegExp(`${field}:\\s+(\\d+) kB`).exec(status) ?? [];
  if (kilobytes === undefined) throw new Error(`The system does not tell ${field}`);
  return Number(kilobytes) / 1_024;
}
