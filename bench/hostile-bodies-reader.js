/**
 * Reads bodies as fast as possible, as the service does or with JSON.parse alone. A separate process, because it must run
 * the code of the service, not what a test runner makes of it.
 */

import { parseJson } from '../server/dist/http/parse-json.js';

const READERS = { service: parseJson, parse: (body) => JSON.parse(body.toString('utf8')) };

process.on('message', ({ reader, body, times }) => {
  const bytes = Buffer.from(body, 'base64');
  const before = process.cpuUsage();
  for (let count = 0; count < times; count += 1) {
    try {
      READERS[reader](bytes);
    } catch {
      // Refusing a body takes time, too.
    }
  }
  const { user, system } = process.cpuUsage(before);
  process.send({ microseconds: (user + system) / times });
});
process.send('ready');
