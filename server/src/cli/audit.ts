import { shownAuditEntry } from '../domain/shown.js';
import type { Command } from './command.js';
import { withStore } from './with-store.js';
import { workspaceIn } from './workspace-in.js';

const PAGE = 500;

export const audit: Command = {
  name: 'audit',
  summary: 'Print the audit log of a workspace as lines of JSON',
  parameters: ['email|slug'],
  help: `Prints who changed what in the workspace of an account or with a slug, newest first, one JSON object in each line, with
the fields of GET /v1/audit-log/.`,
  run: async ([emailOrSlug = ''], config) =>
    withStore(config, async (store) => {
      const workspaceId = await workspaceIn(store, emailOrSlug);
      // Entries that are written meanwhile are not printed.
      let to = (await store.now()) + 1;
      let printed = new Set<string>();
      for (;;) {
        const { items } = await store.audit.list({ workspaceId, ...NEWEST, to });
        const rest = items.filter(({ id }) => !printed.has(id));
        for (const entry of rest) process.stdout.write(`${JSON.stringify(shownAuditEntry(entry))}\n`);
        const last = rest.at(-1);
        if (last === undefined || items.length < PAGE) return 0;
        // The page may have ended between entries of the same millisecond.
        to = last.createdAt + 1;
        printed = new Set(items.map(({ id }) => id));
      }
    }),
};

const NEWEST = { action: null, actorId: null, from: null, offset: 0, limit: PAGE, countUpTo: PAGE };
