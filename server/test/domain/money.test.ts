import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  attoUsdFromText,
  attoUsdToNumber,
  attoUsdToText,
  MAX_COUNTER,
  picoUsdToNumber,
  roundToPicoUsd,
  toAttoUsd,
  toPicoUsd,
} from '../../src/domain/money.js';
import {
  cacheSavingsOf,
  costOf,
  costPartsOf,
  isActivePrice,
  type ModelPrice,
} from '../../src/domain/price.js';

test.each<[number, bigint | null]>([
  [0, 0n],
  [-0, 0n],
  [0.1, 100_000_000_000n],
  [0.3, 300_000_000_000n],
  [1e-12, 1n],
  [1e-13, null],
  [0.000_000_000_000_5, null],
  [1.5e-11, 15n],
  [9_223_372, 9_223_372_000_000_000_000n],
  [9_223_373, null],
  [1e21, null],
  [Number.MAX_VALUE, null],
])('an amount of %d USD is exactly %s pico-dollars', (usd, expected) => {
  expect(toPicoUsd(usd)).toBe(expected);
});

test.each<[number, bigint | null]>([
  [2.5e-6, 2_500_000_000_000n],
  [0.000_000_15, 150_000_000_000n],
  [1e-18, 1n],
  [1e-19, null],
  [5e-324, null],
  [100, 100_000_000_000_000_000_000n],
])('a price of %d USD per token is exactly %s atto-dollars', (usd, expected) => {
  expect(toAttoUsd(usd)).toBe(expected);
});

test('0.1 + 0.2 reads back 0.3', () => {
  const sum = (toPicoUsd(0.1) ?? 0n) + (toPicoUsd(0.2) ?? 0n);
  expect(picoUsdToNumber(sum)).toBe(0.3);
});

test('every number that is accepted reads back as the same number', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 9_000_000 }), fc.integer({ min: 0, max: 12 }), (digits, places) => {
      const usd = Number(`${digits}e-${places}`);
      const amount = toPicoUsd(usd);
      return amount !== null && picoUsdToNumber(amount) === usd;
    }),
  );
});

test('every price that is accepted survives text and reads back as the same number', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 999_999_999 }),
      fc.integer({ min: 0, max: 18 }),
      (digits, places) => {
        const usd = Number(`${digits}e-${places}`);
        const price = toAttoUsd(usd);
        if (price === null) return false;
        return attoUsdFromText(attoUsdToText(price)) === price && attoUsdToNumber(price) === usd;
      },
    ),
  );
});

test('an amount is shown as the number nearest to its decimal text, up to the largest', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: MAX_COUNTER }), (amount) => {
      const text = amount.toString().padStart(13, '0');
      return picoUsdToNumber(amount) === Number(`${text.slice(0, -12)}.${text.slice(-12)}`);
    }),
  );
});

test.each<[bigint, bigint]>([
  [499_999n, 0n],
  [500_000n, 0n],
  [500_001n, 1n],
  [1_499_999n, 1n],
  [1_500_000n, 2n],
  [2_500_000n, 2n],
  [3_500_000n, 4n],
])('%d atto-dollars round half-even to %d pico-dollars', (atto, pico) => {
  expect(roundToPicoUsd(atto)).toBe(pico);
});

test('a cost is the exact sum of both products, rounded once', () => {
  const count = fc.integer({ min: 0, max: 2 ** 40 });
  const price = fc.bigInt({ min: 0n, max: 10n ** 12n });
  fc.assert(
    fc.property(count, count, price, price, (promptTokens, completionTokens, inputAttoUsd, outputAttoUsd) => {
      const exact = BigInt(promptTokens) * inputAttoUsd + BigInt(completionTokens) * outputAttoUsd;
      const cost = costOf({ promptTokens, completionTokens }, null, priced({ inputAttoUsd, outputAttoUsd }));
      const error = cost * 1_000_000n - exact;
      const isHalf = error === 500_000n || error === -500_000n;
      return error >= -500_000n && error <= 500_000n && (!isHalf || cost % 2n === 0n);
    }),
  );
});

test('a cost that cannot be represented is refused, never wrapped', () => {
  const price = priced({ inputAttoUsd: 10n ** 18n, outputAttoUsd: 0n });
  expect(costOf({ promptTokens: 9_223_372, completionTokens: 0 }, null, price)).toBe(
    9_223_372_000_000_000_000n,
  );
  expect(() => costOf({ promptTokens: 9_223_373, completionTokens: 0 }, null, price)).toThrow(
    'larger than can be represented',
  );
});

test('the parts of a cost, rounded once together, are the cost; what the cache saved is the difference to none', () => {
  const count = fc.integer({ min: 0, max: 2 ** 40 });
  const price = fc.bigInt({ min: 0n, max: 10n ** 12n });
  const cachePrice = fc.option(price);
  fc.assert(
    fc.property(
      fc.tuple(count, count, count, count),
      fc.tuple(price, price, cachePrice, cachePrice),
      ([fresh, cacheReadTokens, cacheWriteTokens, completionTokens], amounts) => {
        const [inputAttoUsd, outputAttoUsd, cacheReadAttoUsd, cacheWriteAttoUsd] = amounts;
        const prices = { inputAttoUsd, outputAttoUsd, cacheReadAttoUsd, cacheWriteAttoUsd };
        const tokens = { promptTokens: fresh + cacheReadTokens + cacheWriteTokens, completionTokens };
        const cached = { cacheReadTokens, cacheWriteTokens };
        const parts = costPartsOf(tokens, cached, prices);
        expect(parts.inputAttoUsd).toBe(BigInt(fresh) * inputAttoUsd);
        const sum = Object.values(parts).reduce((left, right) => left + right, 0n);
        const cost = costOf(tokens, cached, prices);
        expect(cost).toBe(roundToPicoUsd(sum));
        expect(cost + cacheSavingsOf(tokens, cached, prices)).toBe(costOf(tokens, null, prices));
      },
    ),
  );
});

test('an inactive price is no price', () => {
  const price = priced({ inputAttoUsd: 1n, outputAttoUsd: 1n });
  expect(isActivePrice(price)).toBe(true);
  expect(isActivePrice({ ...price, isActive: false })).toBe(false);
  expect(isActivePrice(null)).toBe(false);
});

function priced(given: { inputAttoUsd: bigint; outputAttoUsd: bigint }): ModelPrice {
  const cache = { cacheReadAttoUsd: null, cacheWriteAttoUsd: null };
  return { id: 'price', model: 'model', version: 1, isActive: true, ...cache, ...given };
}
