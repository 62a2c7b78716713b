import { useEffect, useState } from 'react';

/**
 * False while it is rendered first. A dialog or drawer that loads on demand opens only then: one that is open from the start does not
 * return the focus when it is closed.
 */
export function useMounted(): boolean {
  const [isMounted, setMounted] = useState(false);
  useEffect(() => setMounted(true), []);
  return isMounted;
}
