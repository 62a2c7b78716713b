/**
 * The service without its data plane: all request handling, with a committer that answers at once and stores nothing. It is
 * configured like the service.
 */

import { createApp } from '../server/dist/app.js';
import { loadConfig } from '../server/dist/config.js';

const ALLOW = { outcome: 'ALLOW', reason: null };

const replyTo = {
  'start-run': ({ id }) => ({ id, status: 'RUNNING', decision: ALLOW }),
  'create-step': ({ id }) => ({ id, status: 'ALLOWED', decision: ALLOW }),
  'report-step': ({ stepId }) => ({ id: stepId, status: 'COMPLETED' }),
  'end-run': ({ runId }) => ({ id: runId, status: 'COMPLETED', endedAt: Date.now() }),
};

const app = await createApp(loadConfig(), {
  committer: {
    submit: async ({ kind, input }) => ({ reply: replyTo[kind](input), isReplay: false }),
    waiting: 0,
    drained: async () => {},
  },
});
process.stdout.write(`${await app.listen()}\n`);
