/** Whose place a call takes: a workspace that makes many must not delay others, nor what takes rights away from it. */

import { expect, test } from 'vitest';
import type { StoreGroups } from '../../src/store/store.js';
import { routeMethods } from '../../src/store/store-methods.js';

const WORKSPACE = 'a workspace';

test.each([
  ['workspaces', 'change', [WORKSPACE, {}], WORKSPACE],
  ['users', 'setBlocked', [{ workspaceId: WORKSPACE }], WORKSPACE],
  ['apiKeys', 'insert', [{ workspaceId: WORKSPACE }], WORKSPACE],
  ['apiKeys', 'insertOnce', [{ apiKey: { workspaceId: WORKSPACE } }], WORKSPACE],
  ['members', 'invite', [{ invitation: { workspaceId: WORKSPACE } }], WORKSPACE],
  ['members', 'join', [{ account: { workspaceId: WORKSPACE } }], WORKSPACE],
  ['accounts', 'recordSignIn', [{ workspaceId: WORKSPACE }], `first in ${WORKSPACE}`],
  ['accounts', 'changePassword', [{ account: { workspaceId: WORKSPACE } }], `first in ${WORKSPACE}`],
  ['accounts', 'endSessions', [{ workspaceId: WORKSPACE }], `first in ${WORKSPACE}`],
  ['apiKeys', 'revoke', [{ workspaceId: WORKSPACE }], `first in ${WORKSPACE}`],
  ['apiKeys', 'replaceAll', [{ workspaceId: WORKSPACE }], `first in ${WORKSPACE}`],
  ['members', 'changeRole', [{ workspaceId: WORKSPACE }], `first in ${WORKSPACE}`],
  ['members', 'remove', [{ workspaceId: WORKSPACE }], `first in ${WORKSPACE}`],
] as const)('%s.%s', async (group, method, args, expected) => {
  const places: string[] = [];
  const note = async (_: unknown, place: string) => void places.push(place);
  const store = routeMethods({} as StoreGroups, { write: note, report: note });
  const methods = store[group] as unknown as Record<
    string,
    (...args: readonly unknown[]) => Promise<unknown>
  >;
  await methods[method]?.(...args);
  expect(places).toEqual([expected]);
});
