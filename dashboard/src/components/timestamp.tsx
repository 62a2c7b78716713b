import { formatAgo, formatDateTime, formatExactDateTime, formatUtc } from '../format/time.ts';
import { useNow } from './use-now.ts';

interface TimestampProps {
  readonly iso: string;
  readonly relative?: boolean;
  /** With seconds and the time zone, for the details of one thing. */
  readonly isExact?: boolean;
}

/** A time in the local time zone; the tooltip shows UTC. */
export function Timestamp({ iso, relative = false, isExact = false }: TimestampProps) {
  const now = useNow();
  const local = isExact ? formatExactDateTime(iso, now) : formatDateTime(iso, now);
  return (
    <time dateTime={iso} title={relative ? `${local} · ${formatUtc(iso)}` : formatUtc(iso)}>
      {relative ? formatAgo(iso, now) : local}
    </time>
  );
}
