/**
 * Reads bodies as fast as it can, as the service reads them or with JSON.parse alone. A process of its own, because the
 * code must be what the service runs, not what a test runner makes of it.
 */

import { parseJson } from '../server/dist/http/parse-json.js';

const READERS = { service: parseJson, parse: (body) => JSON.parse(body.toString('utf8')) };

process.on('message', ({ reader, body, times }) => {
  const bytes = Buffer.from(body, 'base64');
  const startedAt = process.hrtime.bigint();
  for (let count = 0; count < times; count += 1) {
    try {
      READERS[reader](bytes);
    } catch {
      // A refused body takes its time, too.
    }
  }
  process.send({ nanoseconds: Number(process.hrtime.bigint() - startedAt) / times });
});
process.send('ready');
