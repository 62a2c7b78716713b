import { formatCount, formatTokens } from '../format/count.ts';

export function Tokens({ count }: { count: number | null }) {
  if (count === null) return '–';
  return <span title={`${formatCount(count)} tokens`}>{formatTokens(count)}</span>;
}
