/** A second implementation of money with decimal text and BigInt: no code of the service is used. */

/** The largest amount and token count that a counter holds. */
export const MAX_COUNTER = 2n ** 63n - 1n;

/** A JSON number in USD → 10⁻¹² USD. */
export const toPico = (usd: number) => toScaled(usd, 12);

/** Prompt and completion tokens at their prices, rounded once, half to even. */
export function exactCost(given: {
  prompt: number;
  completion: number;
  inputUsd: number;
  outputUsd: number;
}): bigint {
  const atto =
    BigInt(given.prompt) * toScaled(given.inputUsd, 18) +
    BigInt(given.completion) * toScaled(given.outputUsd, 18);
  const down = atto / 1_000_000n;
  const rest = atto % 1_000_000n;
  const isUp = rest > 500_000n || (rest === 500_000n && down % 2n === 1n);
  return isUp ? down + 1n : down;
}

/** The JSON number of an amount in 10⁻¹² USD. */
export function toUsd(amount: bigint): number {
  const digits = amount.toString().padStart(13, '0');
  return Number(`${digits.slice(0, -12)}.${digits.slice(-12)}`);
}

export const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);

/** "2.5e-7" is 25 with 8 decimal places; the remaining places are zeros. */
function toScaled(value: number, places: number): bigint {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return BigInt(whole + fraction) * 10n ** BigInt(places + Number(exponent) - fraction.length);
}
