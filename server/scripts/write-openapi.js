/** Writes openapi.json from the routes; with --check it only compares and fails when the committed file is stale. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../dist/app.js';
import { loadConfig } from '../dist/config.js';
import { openApiDocument } from '../dist/http/openapi.js';

const target = new URL('../../openapi.json', import.meta.url);
const folder = mkdtempSync(join(tmpdir(), 'guarded-runs-openapi-'));

try {
  const app = await createApp(
    loadConfig({ DATABASE_URL: `sqlite:${join(folder, 'openapi.db')}`, LOG_LEVEL: 'silent' }),
  );
  await app.server.ready();
  const text = `${JSON.stringify(openApiDocument(app.server), null, 2)}\n`;
  await app.close();
  if (!process.argv.includes('--check')) {
    writeFileSync(target, text);
  } else if (readFileSync(target, 'utf8') !== text) {
    process.stderr.write('openapi.json is stale: run npm run generated and commit the changes\n');
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
