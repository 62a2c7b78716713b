/** Marks of workspaces, looked up by key: what every change leaves behind anyway, so that no change costs more for being seen. */

import { readText } from '../row.js';
import { type ChangeStore, MAX_MARKED_WORKSPACES } from '../store.js';
import { NEWEST_FIRST } from './sql-audit.js';
import type { SqlDatabase } from './sql-database.js';

/** A statement for each, so that their number is small: the last id is repeated to fill one. */
const SIZES = [1, 10, MAX_MARKED_WORKSPACES];

export function sqlChanges(database: SqlDatabase): ChangeStore {
  const lockMark = database.lockMark('c');
  // Every change of the control plane has an entry in the audit log.
  const select = `SELECT c.workspace_id, ${lockMark ?? 'NULL'} AS runs, COALESCE(CAST((
      SELECT position FROM audit_log WHERE audit_log.workspace_id = c.workspace_id ${NEWEST_FIRST} LIMIT 1
    ) AS text), '') AS settings
    FROM workspace_counters AS c WHERE c.workspace_id IN`;
  return {
    async readMarks(workspaceIds) {
      const last = workspaceIds.at(-1);
      const size = SIZES.find((candidate) => candidate >= workspaceIds.length);
      if (last === undefined) return [];
      if (size === undefined)
        throw new Error(`At most ${MAX_MARKED_WORKSPACES} workspaces have their marks read`);
      const places = Array.from({ length: size }, (_, index) => `$${index + 1}`);
      const ids = places.map((_, index) => workspaceIds[index] ?? last);
      const rows = await database.query(`${select} (${places.join(', ')})`, ...ids);
      return rows.map((row) => ({
        workspaceId: readText(row, 'workspace_id'),
        runs: lockMark === null ? null : readText(row, 'runs'),
        settings: readText(row, 'settings'),
      }));
    },
  };
}
