/** Writes src/api/api-types.gen.ts from openapi.json; with --check it only compares and fails when the file is stale. */

import { readFileSync, writeFileSync } from 'node:fs';
import openapiTypescript, { astToString } from 'openapi-typescript';

const source = new URL('../../openapi.json', import.meta.url);
const target = new URL('../src/api/api-types.gen.ts', import.meta.url);

const types = astToString(await openapiTypescript(source, { alphabetize: true }));
const text = `// Generated from openapi.json by npm run api-types. Do not edit.\n\n${types}`;

if (!process.argv.includes('--check')) {
  writeFileSync(target, text);
} else if (readFileSync(target, 'utf8') !== text) {
  process.stderr.write('dashboard/src/api/api-types.gen.ts is stale: run npm run api-types and commit it\n');
  process.exitCode = 1;
}
