/** A million random reports, decided by the service, sum to exactly the same digits as an oracle. */

import { expect, test } from 'vitest';
import { SeededRandom } from '../../src/cli/seeded-random.js';
import { decideReportStep } from '../../src/domain/decide.js';
import type { ModelPrice } from '../../src/domain/price.js';
import { addUsage, NO_USAGE } from '../../src/domain/usage.js';
import { campaignSeed } from '../support/campaign.js';
import { newReport, newRunState, newStepState } from '../support/seed.js';

const UPDATES = 1_000_000;

test('a million random updates sum to exactly the same digits as an oracle', () => {
  const random = new SeededRandom(campaignSeed('exact sums'));
  const prices = Array.from({ length: 50 }, () => {
    const { price, oracle } = randomPrice(random);
    return { price, oracle, step: newStepState({ id: 'step', runId: 'run', model: price.model }) };
  });
  let run = newRunState({ id: 'run', stepCount: UPDATES });
  let day = NO_USAGE;
  let oracleNumerator = 0n;
  let tokens = 0n;

  for (let index = 0; index < UPDATES; index += 1) {
    const { price, oracle, step } = random.pick(prices);
    const promptTokens = random.integer(0, 200_000);
    const completionTokens = random.integer(0, 20_000);
    const report = newReport({ promptTokens, completionTokens });
    const reported = decideReportStep(
      {
        now: 0,
        run,
        step,
        price,
        counted: [day],
      },
      { runId: 'run', stepId: 'step', report },
    );
    if (reported?.usage == null) throw new Error('Every report is new and has tokens');
    run = reported.run;
    day = addUsage(day, reported.usage);
    oracleNumerator += roundHalfEven(
      BigInt(promptTokens) * oracle.input + BigInt(completionTokens) * oracle.output,
    );
    tokens += BigInt(promptTokens + completionTokens);
  }

  expect(day.costPicoUsd).toBe(oracleNumerator);
  expect(run.totalCostPicoUsd).toBe(oracleNumerator);
  expect(run.totalTokens).toBe(tokens);
});

/** The oracle parses the same decimal digits differently: as a fraction of two integers, from text. */
function randomPrice(random: SeededRandom): { price: ModelPrice; oracle: { input: bigint; output: bigint } } {
  const input = `0.${'0'.repeat(random.integer(4, 9))}${random.integer(1, 99_999)}`;
  const output = `0.${'0'.repeat(random.integer(4, 9))}${random.integer(1, 99_999)}`;
  const toAtto = (text: string) => BigInt(text.slice(2).padEnd(18, '0'));
  return {
    price: {
      id: input,
      model: input,
      inputAttoUsd: toAtto(input),
      outputAttoUsd: toAtto(output),
      isActive: true,
    },
    oracle: { input: toAtto(input), output: toAtto(output) },
  };
}

function roundHalfEven(atto: bigint): bigint {
  const down = atto / 1_000_000n;
  const rest = atto - down * 1_000_000n;
  if (rest < 500_000n) return down;
  if (rest > 500_000n) return down + 1n;
  return down % 2n === 0n ? down : down + 1n;
}
