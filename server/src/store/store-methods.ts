/** Routes calls of store methods, so that expensive ones delay only their own workspace. */

import { type GroupName, METHOD_KINDS, type MethodKind, type StoreGroups } from './store.js';

export interface MethodCall {
  readonly group: GroupName;
  readonly method: string;
  readonly args: readonly unknown[];
}

export type CallMethod = (call: MethodCall, owner: string) => Promise<unknown>;

/** The methods of a store: lookups are called directly, the others through `routes`. */
export function routeMethods(
  store: StoreGroups,
  routes: Readonly<Record<Exclude<MethodKind, 'lookup'>, CallMethod>>,
): StoreGroups {
  const groups = Object.entries(METHOD_KINDS).map(([group, methods]) => [
    group,
    Object.fromEntries(
      Object.entries(methods).map(([method, kind]) => [
        method,
        (...args: unknown[]) => {
          const call: MethodCall = { group: group as GroupName, method, args };
          return kind === 'lookup'
            ? callMethod(store, call)
            : routes[kind as Exclude<MethodKind, 'lookup'>](call, placeOf(call));
        },
      ]),
    ),
  ]);
  return Object.fromEntries(groups) as StoreGroups;
}

export function callMethod(store: StoreGroups, { group, method, args }: MethodCall): Promise<unknown> {
  const methods = store[group] as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
  const found = methods[method];
  if (found === undefined) throw new Error(`The store has no method ${group}.${method}`);
  return found.apply(methods, [...args]);
}

/** Signing in and taking rights away: they do not wait behind the other changes of the workspace, which a stolen key may make. */
const FIRST: ReadonlySet<string> = new Set([
  'accounts.recordSignIn',
  'accounts.changePassword',
  'accounts.endSessions',
  'apiKeys.revoke',
  'apiKeys.replaceAll',
  'members.changeRole',
  'members.remove',
]);

function placeOf({ group, method, args }: MethodCall): string {
  const owner = ownerOf(args);
  return FIRST.has(`${group}.${method}`) ? `first in ${owner}` : owner;
}

/** What belongs to the workspace of a call. Calls without one share a place. */
type Owned = Partial<Record<'apiKey' | 'account' | 'invitation' | 'range', { readonly workspaceId: string }>>;

/** The workspace of a call: the first argument, or a property of it. */
function ownerOf([first]: readonly unknown[]): string {
  if (typeof first === 'string') return first;
  const { workspaceId, ...others } = (first ?? {}) as { workspaceId?: string } & Owned;
  const owned = others.apiKey ?? others.account ?? others.invitation ?? others.range;
  return workspaceId ?? owned?.workspaceId ?? '';
}
