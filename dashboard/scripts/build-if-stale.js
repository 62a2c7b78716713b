/**
 * Builds the dashboard if its sources have changed since the last build. The build stores a hash of the sources,
 * because file times are unreliable after a clone or a branch switch.
 */

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('..', import.meta.url));
const SOURCES = [
  'src',
  'public',
  'index.html',
  'vite.config.ts',
  'inter-subset.ts',
  'package.json',
  '../package-lock.json',
];
const stamp = join(folder, 'dist', '.source-hash');

const hash = hashOf(SOURCES.flatMap((source) => filesOf(join(folder, source))));
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== hash) {
  const { build } = await import('vite');
  await build({ configFile: join(folder, 'vite.config.ts'), logLevel: 'warn' });
  writeFileSync(stamp, hash);
}

/**
 * @param {string} path
 * @returns {string[]}
 */
function filesOf(path) {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesOf(join(path, name)));
}

/** @param {readonly string[]} files */
function hashOf(files) {
  const digest = createHash('sha256');
  for (const file of files) digest.update(file.slice(folder.length)).update('\0').update(readFileSync(file));
  return digest.digest('hex');
}
