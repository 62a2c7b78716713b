/** Prints all figures of a run in one table and writes them to bench/results.json, without names of machines or paths. */

import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { type Figure, isReached } from './figure.js';

const RESULTS = fileURLToPath(new URL('results.json', import.meta.url));
const SIGNIFICANT_DIGITS = 3;

export default class FigureReporter implements Reporter {
  readonly #startedAt = Date.now();

  onTestCaseReady(test: TestCase): void {
    process.stdout.write(`${secondsSince(this.#startedAt)} s  ${test.fullName} …\n`);
  }

  onTestCaseResult(test: TestCase): void {
    for (const error of test.result().errors ?? []) {
      process.stdout.write(`\n${test.fullName} could not be measured: ${error.stack ?? error.message}\n\n`);
    }
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly { message: string }[]): void {
    for (const { message } of [...errors, ...modules.flatMap((module) => module.errors())]) {
      process.stdout.write(`${message}\n`);
    }
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const figures = tests.flatMap((test) => test.meta().figures ?? []);
    const invalid = tests.filter((test) => test.result().state === 'failed').map((test) => test.fullName);
    process.stdout.write(`\n${toTable(figures)}\n`);
    for (const name of invalid) process.stdout.write(`INVALID  ${name}\n`);
    process.stdout.write(`${secondsSince(this.#startedAt)} s in all\n`);
    writeFileSync(RESULTS, `${JSON.stringify(toResults(figures, invalid), null, 2)}\n`);
  }
}

function toTable(figures: readonly Figure[]): string {
  const rows = [
    ['figure', 'measured', 'goal', '', 'behind it'],
    ...figures.map((figure) => [
      figure.name,
      round(figure.value),
      goalText(figure),
      verdict(figure),
      figure.behind,
    ]),
  ];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | '))
    .join('\n');
}

function toResults(figures: readonly Figure[], invalid: readonly string[]): object {
  return {
    date: new Date().toISOString(),
    mode: process.env['TEST_FULL'] === '1' ? 'full' : 'short',
    isPartial: process.env['BENCH_PARTIAL'] === '1',
    node: process.version,
    cores: availableParallelism(),
    invalid,
    figures: figures.map((figure) => ({
      name: figure.name,
      value: Number(round(figure.value)),
      goal: figure.goal,
      pass: isReached(figure),
      behind: figure.behind,
      samples: Object.fromEntries(
        Object.entries(figure.samples).map(([name, values]) => [
          name,
          values.map((value) => Number(round(value))),
        ]),
      ),
    })),
  };
}

function goalText({ goal }: Figure): string {
  if (goal === null) return '';
  return 'atLeast' in goal ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`;
}

function verdict(figure: Figure): string {
  const reached = isReached(figure);
  return reached === null ? '' : reached ? 'pass' : 'FAIL';
}

/** Rounds to the significant digits; a large number keeps all digits before the decimal point. */
function round(value: number): string {
  return Math.abs(value) >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(SIGNIFICANT_DIGITS)));
}

function secondsSince(startedAt: number): string {
  return ((Date.now() - startedAt) / 1_000).toFixed(0).padStart(4);
}
