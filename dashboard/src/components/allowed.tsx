import type { ReactNode } from 'react';
import { isAllowed, type Need } from '../session/rights.ts';
import { useRights } from '../session/use-rights.ts';

interface AllowedProps {
  readonly needs: Need;
  readonly children: ReactNode;
  /** For members who may not. */
  readonly otherwise?: ReactNode;
  /** While the role is not known. */
  readonly meanwhile?: ReactNode;
}

/** Renders its children only for members who may use them. */
export function Allowed({ needs, children, otherwise = null, meanwhile = null }: AllowedProps) {
  const { role } = useRights();
  if (role === null) return meanwhile;
  return isAllowed(role, needs) ? children : otherwise;
}
