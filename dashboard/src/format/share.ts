/** A part of a whole in percent: "44 %". Only nothing is "0 %", and only everything is "100 %". */
export function formatShare(part: number, whole: number): string {
  if (whole <= 0 || part <= 0) return '0 %';
  if (part >= whole) return '100 %';
  const percent = Math.round((part / whole) * 100);
  if (percent === 0) return '<1 %';
  return percent === 100 ? '>99 %' : `${percent} %`;
}
