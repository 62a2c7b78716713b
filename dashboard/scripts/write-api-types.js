/**
 * Writes the types of the API, from openapi.json, to each client that has them; with --check it only compares and fails
 * when a file is stale.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import openapiTypescript, { astToString } from 'openapi-typescript';

const ROOT = new URL('../../', import.meta.url);

const TARGETS = [
  { path: 'sdk/typescript/src/internal/api-types.gen.ts', immutable: true },
  // openapi-fetch does not recognize readonly arrays.
  { path: 'dashboard/src/api/api-types.gen.ts', immutable: false },
];

for (const { path, immutable } of TARGETS) {
  const types = await openapiTypescript(new URL('openapi.json', ROOT), {
    immutable,
    // What has a default is optional in a request. Answers have no defaults.
    defaultNonNullable: false,
  });
  const text = `// Generated from openapi.json by npm run generated. Do not edit.\n\n${astToString(types)}`;
  const file = new URL(path, ROOT);
  if (!process.argv.includes('--check')) {
    writeFileSync(file, text);
  } else if (readFileSync(file, 'utf8') !== text) {
    process.stderr.write(`${path} is stale: run npm run generated and commit it\n`);
    process.exitCode = 1;
  }
}
