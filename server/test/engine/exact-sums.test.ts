/** A million random reports, decided by the service, sum to exactly the same digits as an oracle. */

import { expect, test } from 'vitest';
import { SeededRandom } from '../../src/cli/seeded-random.js';
import { decideReportStep } from '../../src/domain/decide.js';
import type { ModelPrice } from '../../src/domain/price.js';
import { addParts, addUsage, NO_PARTS, NO_USAGE } from '../../src/domain/usage.js';
import { campaignSeed } from '../support/campaign.js';
import { newDetails, newReport, newRunState, newStepState } from '../support/seed.js';

const UPDATES = 1_000_000;

test('a million random updates sum to exactly the same digits as an oracle', () => {
  const random = new SeededRandom(campaignSeed('exact sums'));
  const prices = Array.from({ length: 50 }, () => {
    const { price, oracle } = randomPrice(random);
    return { price, oracle, step: newStepState({ id: 'step', runId: 'run', model: price.model }) };
  });
  let run = newRunState({ id: 'run', stepCount: UPDATES });
  let day = NO_USAGE;
  let model = NO_PARTS;
  let oracleSaved = 0n;
  const oracleParts = { cacheRead: 0n, cacheWrite: 0n, reasoning: 0n };
  let oracleNumerator = 0n;
  let tokens = 0n;

  for (let index = 0; index < UPDATES; index += 1) {
    const { price, oracle, step } = random.pick(prices);
    const promptTokens = random.integer(0, 200_000);
    const completionTokens = random.integer(0, 20_000);
    // Half of the reports have only what the specification knows.
    const hasParts = random.chance(0.5);
    const read = hasParts ? random.integer(0, promptTokens) : 0;
    const write = hasParts ? random.integer(0, promptTokens - read) : 0;
    const reasoningTokens = hasParts ? random.integer(0, completionTokens) : 0;
    const parts = { cacheReadTokens: read, cacheWriteTokens: write, reasoningTokens, hash: 'not compared' };
    const details = hasParts ? newDetails(parts) : null;
    const report = newReport({ promptTokens, completionTokens, details });
    const reported = decideReportStep(
      {
        now: 0,
        run,
        step,
        price,
        counted: [day],
        savedPicoUsd: model.cacheSavedPicoUsd,
      },
      { runId: 'run', stepId: 'step', report },
    );
    if (reported?.usage == null) throw new Error('Every report is new and has tokens');
    run = reported.run;
    day = addUsage(day, reported.usage);
    if (reported.parts !== null) model = addParts(model, reported.parts);
    const output = BigInt(completionTokens) * oracle.output;
    const cost = roundHalfEven(
      BigInt(promptTokens - read - write) * oracle.input +
        BigInt(read) * oracle.cacheRead +
        BigInt(write) * oracle.cacheWrite +
        output,
    );
    oracleNumerator += cost;
    oracleSaved += roundHalfEven(BigInt(promptTokens) * oracle.input + output) - cost;
    oracleParts.cacheRead += BigInt(read);
    oracleParts.cacheWrite += BigInt(write);
    oracleParts.reasoning += BigInt(reasoningTokens);
    tokens += BigInt(promptTokens + completionTokens);
  }

  expect(day.costPicoUsd).toBe(oracleNumerator);
  expect(run.totalCostPicoUsd).toBe(oracleNumerator);
  expect(run.totalTokens).toBe(tokens);
  expect(model.cacheSavedPicoUsd).toBe(oracleSaved);
  const { cacheReadTokens: cacheRead, cacheWriteTokens: cacheWrite, reasoningTokens: reasoning } = model;
  expect({ cacheRead, cacheWrite, reasoning }).toEqual(oracleParts);
}, 300_000);

interface OraclePrice {
  readonly input: bigint;
  readonly output: bigint;
  readonly cacheRead: bigint;
  readonly cacheWrite: bigint;
}

/** The oracle parses the same decimal digits differently: as a fraction of two integers, from text. */
function randomPrice(random: SeededRandom): { price: ModelPrice; oracle: OraclePrice } {
  const amount = () => `0.${'0'.repeat(random.integer(4, 9))}${random.integer(1, 99_999)}`;
  const toAtto = (text: string) => BigInt(text.slice(2).padEnd(18, '0'));
  const [input, output] = [amount(), amount()];
  const [cacheRead, cacheWrite] = [
    random.chance(0.7) ? amount() : null,
    random.chance(0.7) ? amount() : null,
  ];
  return {
    price: {
      id: input,
      model: input,
      version: 1,
      inputAttoUsd: toAtto(input),
      outputAttoUsd: toAtto(output),
      cacheReadAttoUsd: cacheRead === null ? null : toAtto(cacheRead),
      cacheWriteAttoUsd: cacheWrite === null ? null : toAtto(cacheWrite),
      isActive: true,
    },
    oracle: {
      input: toAtto(input),
      output: toAtto(output),
      cacheRead: toAtto(cacheRead ?? input),
      cacheWrite: toAtto(cacheWrite ?? input),
    },
  };
}

function roundHalfEven(atto: bigint): bigint {
  const down = atto / 1_000_000n;
  const rest = atto - down * 1_000_000n;
  if (rest < 500_000n) return down;
  if (rest > 500_000n) return down + 1n;
  return down % 2n === 0n ? down : down + 1n;
}
