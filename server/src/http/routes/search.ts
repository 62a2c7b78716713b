/** One search for what an operator has in hand: the id of a run or a step, or the beginning of a user. */

import Type from 'typebox';
import { toIsoTimestamp } from '../../domain/period.js';
import { parseUuid, uuidsWithPrefix } from '../../domain/uuid.js';
import { MAX_RUNS_EXAMINED, type SearchStore } from '../../store/store.js';
import { workspaceIdOf } from '../authenticate.js';
import { requireStorableText } from '../json-body.js';
import { RunStatus } from '../run-fields.js';
import { Nullable, Timestamp, Uuid } from '../schemas.js';
import type { HttpServer } from '../server-types.js';

const MAX_RESULTS = 8;
/** Fewer characters of an id match too many. */
const MIN_ID_LENGTH = 4;
const MAX_LENGTH = 512;

const FoundRun = Type.Object(
  { id: Uuid, user_id: Type.String(), status: RunStatus, started_at: Timestamp },
  { title: 'FoundRun' },
);
const FoundStep = Type.Object({ id: Uuid, run_id: Uuid }, { title: 'FoundStep' });

export function searchRoutes(server: HttpServer, { search }: { search: SearchStore }): void {
  server.get(
    '/v1/search',
    {
      config: { auth: 'any', access: 'read', showsRuns: true },
      schema: {
        operationId: 'search',
        summary: 'Find runs, a step and users',
        description:
          `At most ${MAX_RESULTS} of each: runs whose id begins with the text (at least ${MIN_ID_LENGTH} characters), the step with ` +
          `this id, if its run is among the ${MAX_RUNS_EXAMINED} that had started last before it, and users whose id begins with the text.`,
        tags: ['Search'],
        querystring: Type.Object({ q: Type.String({ maxLength: MAX_LENGTH, default: '' }) }),
        response: {
          200: Type.Object(
            {
              runs: Type.Array(FoundRun),
              step: Nullable(FoundStep),
              users: Type.Array(Type.Object({ user_id: Type.String() }, { title: 'FoundUser' })),
            },
            { title: 'SearchResult' },
          ),
        },
      },
    },
    async (request) => {
      const text = request.query.q.trim();
      requireStorableText(text, 'querystring/q');
      const workspaceId = workspaceIdOf(request);
      const [runs, users] = await Promise.all([
        findRuns(search, workspaceId, text),
        text === '' ? [] : search.findUsers({ workspaceId, prefix: text, limit: MAX_RESULTS }),
      ]);
      // The id of a run is not that of a step, which takes longer to find.
      const step = runs.length > 0 ? null : await findStep(search, workspaceId, text);
      return { runs, step, users: users.map((user_id) => ({ user_id })) };
    },
  );
}

async function findRuns(search: SearchStore, workspaceId: string, text: string) {
  const ids = text.length < MIN_ID_LENGTH ? null : uuidsWithPrefix(text);
  if (ids === null) return [];
  const runs = await search.findRuns({ workspaceId, ids, limit: MAX_RESULTS });
  return runs.map(({ id, userId, status, startedAt }) => ({
    id,
    user_id: userId,
    status,
    started_at: toIsoTimestamp(startedAt),
  }));
}

async function findStep(search: SearchStore, workspaceId: string, text: string) {
  const stepId = parseUuid(text);
  const runId = stepId === null ? null : await search.findRunOfStep({ workspaceId, stepId });
  return stepId === null || runId === null ? null : { id: stepId, run_id: runId };
}
