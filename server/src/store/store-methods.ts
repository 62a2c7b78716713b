/**
 * What each method of a store costs, so that a store can send it where it harms only its own workspace:
 *
 * - `lookup`: a few rows by key. Costs the same however much data there is.
 * - `report`: grows with the data of a workspace. Limited, and served to workspaces in turn.
 * - `write`: a transaction. Limited, and served to workspaces in turn.
 */

import type { Store } from './store.js';

export type MethodKind = 'lookup' | 'report' | 'write';

type StoreGroups = Omit<Store, 'location' | 'batches' | 'now' | 'ping' | 'close'>;
export type GroupName = keyof StoreGroups;

/** The compiler demands an entry for every method. */
const METHOD_KINDS: {
  readonly [Group in GroupName]: { readonly [Method in keyof StoreGroups[Group]]: MethodKind };
} = {
  accounts: { register: 'write', findByEmail: 'lookup', find: 'lookup', changePassword: 'write' },
  apiKeys: {
    findByPrefix: 'lookup',
    list: 'report',
    insert: 'write',
    insertOnce: 'write',
    revoke: 'write',
    replaceAll: 'write',
    markUsed: 'write',
  },
  workspaces: { find: 'lookup', findIdByEmailOrSlug: 'lookup', change: 'write' },
  prices: { listActive: 'report', put: 'write' },
  users: { list: 'report', setBlocked: 'write' },
  runs: {
    list: 'report',
    find: 'report',
    listSteps: 'report',
    listDecisions: 'report',
    findStepOrder: 'report',
    countActive: 'report',
  },
  usage: { daily: 'report', summary: 'report', listDays: 'report', listUsers: 'report' },
  loginFailures: { listRecent: 'lookup', record: 'write' },
  maintenance: { keepSecret: 'write', forgetAnswers: 'write', verify: 'report', backup: 'report' },
  copy: { countRows: 'report', readRows: 'report', writeRows: 'write' },
};

export interface MethodCall {
  readonly group: GroupName;
  readonly method: string;
  readonly args: readonly unknown[];
}

export type CallMethod = (call: MethodCall, owner: string) => Promise<unknown>;

/** The methods of a store: lookups on it directly, everything else as `routes` says. */
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
            : routes[kind as Exclude<MethodKind, 'lookup'>](call, ownerOf(args));
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

/** The workspace that a call is about: methods name it first, or in their first argument. */
function ownerOf([first]: readonly unknown[]): string {
  if (typeof first === 'string') return first;
  const { workspaceId, apiKey, range } = (first ?? {}) as {
    workspaceId?: string;
    apiKey?: { workspaceId: string };
    range?: { workspaceId: string };
  };
  return workspaceId ?? apiKey?.workspaceId ?? range?.workspaceId ?? '';
}
