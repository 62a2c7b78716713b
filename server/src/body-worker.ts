/** The worker thread that parses large bodies. */

import { parentPort } from 'node:worker_threads';
import { type ParseCall, toParsed } from './http/large-body.js';
import { parseJson } from './http/parse-json.js';
import { lowerThreadPriority, serveCalls } from './runtime/call-thread.js';

if (parentPort === null) throw new Error('This file must run in a worker thread');

lowerThreadPriority();
serveCalls(parentPort, {
  answer: async (call) => {
    const { body, shape } = call as ParseCall;
    return toParsed(parseJson(Buffer.from(body.buffer, body.byteOffset, body.byteLength)), shape);
  },
  close: async () => {},
});
