/** The CPU time of a body of the largest size, for each shape: reading it as the service does ÷ decoding and JSON.parse alone. */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished, test } from 'vitest';
import { campaignSize } from '../../server/test/support/campaign.js';
import { HOSTILE_BODIES } from '../../server/test/support/hostile-bodies.js';
import { median, medianRatio, recordFigure } from '../figure.js';
import { inTurns } from '../in-turns.js';

const BODY_BYTES = 1_048_576;
const READERS = ['service', 'parse'] as const;
const ROUNDS = campaignSize({ short: 5, full: 15 });
/** V8 optimizes functions that are called often, and an attacker calls them often. */
const WARM_UP_ROUNDS = 4;
const READS_PER_ROUND = 3;
const GOAL = { atMost: 3 };
const READER = fileURLToPath(new URL('../hostile-bodies-reader.js', import.meta.url));

test('hostile bodies', async (context) => {
  const child = await startReader();
  const ratios: { name: string; ratio: number; milliseconds: number }[] = [];
  for (const { name, make } of HOSTILE_BODIES) {
    const body = make(BODY_BYTES).toString('base64');
    const measured = await inTurns({
      subjects: READERS,
      rounds: WARM_UP_ROUNDS + ROUNDS,
      measure: (reader) => readInChild(child, { reader, body, times: READS_PER_ROUND }),
    });
    const samples = (reader: (typeof READERS)[number]) =>
      (measured.get(reader) ?? []).slice(WARM_UP_ROUNDS).map((microseconds) => microseconds / 1_000);
    const milliseconds = median(samples('service'));
    const ratio = medianRatio(samples('service'), samples('parse'));
    ratios.push({ name, ratio, milliseconds });
    recordFigure(context, {
      name: `reading 1 MiB ÷ JSON.parse: ${name}`,
      value: ratio,
      goal: GOAL,
      behind: `${milliseconds.toFixed(1)} ms, ${median(samples('parse')).toFixed(1)} ms`,
      samples: { 'service, ms': samples('service'), 'JSON.parse, ms': samples('parse') },
    });
  }
  const worst = ratios.reduce((left, right) => (left.ratio > right.ratio ? left : right));
  recordFigure(context, {
    name: 'reading 1 MiB ÷ JSON.parse, the worst of all shapes',
    value: worst.ratio,
    goal: GOAL,
    behind: `${worst.name}: ${worst.milliseconds.toFixed(1)} ms`,
    samples: {},
  });
});

async function startReader(): Promise<ChildProcess> {
  const child = fork(READER, { execArgv: [] });
  onTestFinished(() => void child.kill());
  await once(child, 'message');
  return child;
}

interface Reading {
  readonly reader: (typeof READERS)[number];
  readonly body: string;
  readonly times: number;
}

async function readInChild(child: ChildProcess, reading: Reading): Promise<number> {
  const answered = once(child, 'message');
  child.send(reading);
  const [{ microseconds }] = (await answered) as [{ microseconds: number }];
  return microseconds;
}
