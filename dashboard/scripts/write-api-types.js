/** Generates the API types of the clients from openapi.json. With --check, it fails if a file is stale. */

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
    // Fields with a default are optional in requests. Responses have no defaults.
    defaultNonNullable: false,
  });
  const text = `// Generated from openapi.json by npm run generated. Do not edit.\n\n${astToString(types)}`;
  const file = new URL(path, ROOT);
  if (!process.argv.includes('--check')) {
    writeFileSync(file, text);
  } else if (readFileSync(file, 'utf8') !== text) {
    process.stderr.write(`${path} is stale: run npm run generated and commit the changes\n`);
    process.exitCode = 1;
  }
}
