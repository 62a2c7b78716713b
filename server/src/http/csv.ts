/** Lines of CSV, as RFC 4180 describes them. */

/** Spreadsheets take a text that begins like this for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

export function csvLine(values: readonly (string | number | bigint | null)[]): string {
  return `${values.map(toCell).join(',')}\r\n`;
}

function toCell(value: string | number | bigint | null): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
