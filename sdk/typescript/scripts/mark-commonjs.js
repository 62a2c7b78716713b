/** The package is ESM. This marks dist/cjs as CommonJS for Node.js and TypeScript. */

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';

const folder = new URL('../dist/cjs/', import.meta.url);
const marker = new URL('package.json', folder);
mkdirSync(folder, { recursive: true });
if (!existsSync(marker)) writeFileSync(marker, '{ "type": "commonjs" }\n');
