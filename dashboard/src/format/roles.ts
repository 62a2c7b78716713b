/** The roles of members in words. The keys come from the API types: a new role does not compile until it has an entry here. */

import type { Schemas } from '../api/api-client.ts';

export type Role = Schemas['Role'];

interface RoleWords {
  readonly label: string;
  /** In a sentence, after "is". */
  readonly noun: string;
  readonly description: string;
}

/** The one with the fewest rights first: it is preselected for a new member. */
export const ROLES: Readonly<Record<Role, RoleWords>> = {
  viewer: {
    label: 'Viewer',
    noun: 'a viewer',
    description: 'Sees everything but the activity; changes nothing',
  },
  admin: {
    label: 'Admin',
    noun: 'an admin',
    description: 'Also changes guardrails, prices, users and keys, and sees the activity',
  },
  owner: { label: 'Owner', noun: 'an owner', description: 'Also changes members and the plan' },
};

// Object.keys() returns strings; the type of ROLES guarantees that these are all roles.
export const ROLE_NAMES = Object.keys(ROLES) as Role[];
