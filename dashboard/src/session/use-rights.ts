import { useQuery } from '@tanstack/react-query';
import { meQuery } from '../api/queries.ts';
import { type Rights, rightsOf } from './rights.ts';

/** The rights of the signed-in member. They follow a change of role while a page is open. */
export function useRights(): Rights {
  const { data: me } = useQuery(meQuery);
  return rightsOf(me?.role ?? null);
}
