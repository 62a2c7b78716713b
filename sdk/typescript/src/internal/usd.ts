/** The service refuses amounts with more decimals, which a product of floating-point numbers easily has. */
const MAX_DECIMALS = 12;

export function roundUsd(amount: number): number {
  return Number(amount.toFixed(MAX_DECIMALS));
}
