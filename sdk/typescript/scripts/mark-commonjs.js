/** The package is ESM; this tells Node and TypeScript that what lies in dist/cjs is not. */

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';

const folder = new URL('../dist/cjs/', import.meta.url);
const marker = new URL('package.json', folder);
mkdirSync(folder, { recursive: true });
if (!existsSync(marker)) writeFileSync(marker, '{ "type": "commonjs" }\n');
