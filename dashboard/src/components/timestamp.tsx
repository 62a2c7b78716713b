import { formatAgo, formatDateTime, formatUtc } from '../format/time.ts';
import { useNow } from './use-now.ts';

/** A time in the local time zone; the tooltip shows UTC. */
export function Timestamp({ iso, relative = false }: { iso: string; relative?: boolean }) {
  const now = useNow();
  const hint = relative ? `${formatDateTime(iso, now)} · ${formatUtc(iso)}` : formatUtc(iso);
  return (
    <time dateTime={iso} title={hint}>
      {relative ? formatAgo(iso, now) : formatDateTime(iso, now)}
    </time>
  );
}
