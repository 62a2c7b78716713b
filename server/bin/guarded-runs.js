#!/usr/bin/env node
/** The command. It is a file of its own because npm links commands at installation, before anything is built. */

import { existsSync } from 'node:fs';

const main = new URL('../dist/main.js', import.meta.url);

if (existsSync(main)) {
  await import(main.href);
} else {
  process.stderr.write('Guarded Runs is not built yet: run npm run build\n');
  process.exitCode = 1;
}
