import { useEffect, useState } from 'react';
import { useConnection } from '../api/connection.ts';

/** The current time, updated at an interval. While the connection is lost, the time of the last response. */
export function useNow(everyMs = 15_000): number {
  const [now, setNow] = useState(Date.now);
  const { lost, lastResponseAt } = useConnection();
  useEffect(() => {
    if (lost) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, lost]);
  // The state since the last response is unknown, so durations must not keep growing.
  return lost ? (lastResponseAt ?? now) : now;
}
