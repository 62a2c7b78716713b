import type { ReactNode } from 'react';
import { isAllowed, type Need } from '../session/rights.ts';
import { useRights } from '../session/use-rights.ts';

interface AllowedProps {
  readonly needs: Need;
  readonly children: ReactNode;
  /** For members who may not; nothing while it is not known. */
  readonly otherwise?: ReactNode;
}

/** Renders its children only for members who may use them. */
export function Allowed({ needs, children, otherwise = null }: AllowedProps) {
  const { role } = useRights();
  if (role === null) return null;
  return isAllowed(role, needs) ? children : otherwise;
}
