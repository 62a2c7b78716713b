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
      // Entries that are written meanwhile are not printed, and move no other to the next page.
      const to = (await store.now()) + 1;
      for (let offset = 0; ; offset += PAGE) {
        const { items } = await store.audit.list({ workspaceId, ...ANY, to, offset, limit: PAGE });
        for (const entry of items) process.stdout.write(`${JSON.stringify(shownAuditEntry(entry))}\n`);
        if (items.length < PAGE) return 0;
      }
    }),
};

const ANY = { action: null, actorId: null, from: null };
