import { useEffect, useState } from 'react';
import { useConnection } from '../api/connection.ts';

/** The present time, renewed every so often while the component is shown; without a server the time of its last answer. */
export function useNow(everyMs = 15_000): number {
  const [now, setNow] = useState(Date.now);
  const { lost, lastAnswerAt } = useConnection();
  useEffect(() => {
    if (lost) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, lost]);
  // Nothing is known about what happened since: durations stand still.
  return lost ? (lastAnswerAt ?? now) : now;
}
