import { formatQuantity, formatTokens } from '../format/count.ts';

export function Tokens({ count }: { count: number | null }) {
  if (count === null) return '–';
  return <span title={formatQuantity(count, 'token')}>{formatTokens(count)}</span>;
}
