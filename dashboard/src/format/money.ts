/** Formats amounts for display: to the cent from $1, to two significant digits below. */

const SMALLEST_SHOWN_USD = 0.000001;

/** An amount is stored with as many. */
const DECIMAL_PLACES = 12;

/** The digits of a price per token, and of what some tokens cost. */
const ATTO_PLACES = 18;

const cents = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** For example "$1,234.50", "$0.12", "$0.0023" or "$0". */
export function formatUsd(usd: number): string {
  if (usd === 0) return '$0';
  if (usd < 0) return `−${formatUsd(-usd)}`;
  if (usd >= 1) return `$${cents.format(usd)}`;
  if (usd < SMALLEST_SHOWN_USD) return '<$0.000001';
  return `$${atLeastTwoDecimals(toPlainDecimal(Number(usd.toPrecision(2))))}`;
}

/** Without rounding: "$0.0375", "$2.50", "$1,250.00". */
export function formatExactUsd(usd: number): string {
  if (usd < 0) return `−${formatExactUsd(-usd)}`;
  return `$${atLeastTwoDecimals(toPlainDecimal(usd))}`;
}

/** Like `formatUsd`, but with up to so many decimal places where it has fewer: to 3, 19.996 is "$19.996" and 20 is "$20.00". */
export function formatUsdTo(usd: number, decimals: number): string {
  const short = formatUsd(usd);
  const places = Math.max(decimals, short.split('.')[1]?.length ?? 0);
  const rounded = Number(usd.toFixed(places));
  return rounded === 0 ? short : formatExactUsd(rounded);
}

/** Without the digits that sums and differences of doubles have beyond those of an amount: 0.1 + 0.2 is 0.3. */
export function withoutRoundingError(usd: number): number {
  return Number(usd.toFixed(DECIMAL_PLACES));
}

/** An exact sum: a price per token times tokens has up to 18 decimal places. */
export function sumUsd(amounts: readonly number[]): number {
  const total = amounts.reduce((sum, usd) => sum + toAtto(usd), 0n);
  return Number(`${total}e-${ATTO_PLACES}`);
}

function toAtto(usd: number): bigint {
  const sign = usd < 0 ? -1n : 1n;
  const [whole = '0', fraction = ''] = toPlainDecimal(Math.abs(usd)).split('.');
  return sign * BigInt(whole + fraction.padEnd(ATTO_PLACES, '0').slice(0, ATTO_PLACES));
}

/** Short, for a chart axis, whose ticks have few digits: "$0.05", "$12.5", "$1.25k", "$2M". */
export function formatAxisUsd(usd: number): string {
  if (usd >= 1_000_000) return `$${Number((usd / 1_000_000).toPrecision(3))}M`;
  if (usd >= 1_000) return `$${Number((usd / 1_000).toPrecision(3))}k`;
  return `$${toPlainDecimal(Number(usd.toPrecision(3)))}`;
}

/** Decimal notation without an exponent: 2.5e-7 is "0.00000025". */
export function toPlainDecimal(value: number): string {
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `0.${'0'.repeat(-point)}${digits}`;
  if (point >= digits.length) return digits + '0'.repeat(point - digits.length);
  return `${digits.slice(0, point)}.${digits.slice(point)}`;
}

function atLeastTwoDecimals(plain: string): string {
  const [whole = '0', fraction = ''] = plain.split('.');
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${fraction.padEnd(2, '0')}`;
}
