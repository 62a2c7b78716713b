/** A second implementation of money with decimal text and BigInt: no code of the service is used. */

/** The largest amount and token count that a counter holds. */
export const MAX_COUNTER = 2n ** 63n - 1n;

/** A JSON number in USD → 10⁻¹² USD. */
export const toPico = (usd: number) => toScaled(usd, 12);

/** Tokens of one kind at their price, in 10⁻¹⁸ USD. */
export const toAtto = (tokens: bigint, usd: number) => tokens * toScaled(usd, 18);

/** 10⁻¹⁸ → 10⁻¹² USD, half to even. */
export function roundToPico(atto: bigint): bigint {
  const down = atto / 1_000_000n;
  const rest = atto % 1_000_000n;
  const isUp = rest > 500_000n || (rest === 500_000n && down % 2n === 1n);
  return isUp ? down + 1n : down;
}

/** The JSON number of an amount in 10⁻¹² USD. */
export function toUsd(amount: bigint, places = 12): number {
  if (amount < 0n) return -toUsd(-amount, places);
  const digits = amount.toString().padStart(places + 1, '0');
  return Number(`${digits.slice(0, -places)}.${digits.slice(-places)}`);
}

export const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);

/** "2.5e-7" is 25 with 8 decimal places; the remaining places are zeros. */
function toScaled(value: number, places: number): bigint {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return BigInt(whole + fraction) * 10n ** BigInt(places + Number(exponent) - fraction.length);
}
