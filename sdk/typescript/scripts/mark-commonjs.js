/** The package is ESM; this tells Node and TypeScript that what lies in dist/cjs is not. */

import { mkdirSync, writeFileSync } from 'node:fs';

const folder = new URL('../dist/cjs/', import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(new URL('package.json', folder), '{ "type": "commonjs" }\n');
