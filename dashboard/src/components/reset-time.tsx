import { formatExactDateTime, formatReset } from '../format/time.ts';
import { useNow } from './use-now.ts';

/** When a limit is reset, in UTC like its day; the tooltip shows the local time. */
export function ResetTime({ iso }: { iso: string }) {
  const now = useNow();
  return (
    <time dateTime={iso} title={formatExactDateTime(iso, now)}>
      {formatReset(Date.parse(iso), now)}
    </time>
  );
}
