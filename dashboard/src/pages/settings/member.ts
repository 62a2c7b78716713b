import type { Schemas } from '../../api/api-client.ts';

export type Member = Schemas['Member'];
export type Invitation = Schemas['Invitation'];

/** A workspace needs an owner: the service refuses to remove or demote the only one. */
export function isOnlyOwner({ id }: Member, members: readonly Member[]): boolean {
  const owners = members.filter(({ role }) => role === 'owner');
  return owners.length === 1 && owners[0]?.id === id;
}
