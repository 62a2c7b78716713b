/** main → cli → app → (http | gateway) → (engine | control) → (store | auth) → runtime → domain. Arrows may skip to the right, never point left. */

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const SOURCE = fileURLToPath(new URL('../../src/', import.meta.url));

/** Lower is further right. Layers of one rank do not import each other. */
const RANK: Readonly<Record<string, number>> = {
  main: 7,
  cli: 6,
  app: 5,
  'sqlite-worker': 5,
  'body-worker': 5,
  http: 4,
  gateway: 4,
  engine: 3,
  control: 3,
  store: 2,
  auth: 2,
  runtime: 1.5,
  domain: 1,
};

/** Files outside the layers, and the layers that may import them. */
const OUTSIDE: Readonly<Record<string, readonly string[]>> = {
  config: ['main', 'cli', 'app'],
  version: ['main', 'cli', 'app'],
};

interface SourceFile {
  readonly path: string;
  readonly imports: readonly string[];
}

const files: SourceFile[] = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((path) => ({ path, imports: importsOf(path) }));

test('every file belongs to a layer of the import law', () => {
  const strangers = files
    .map(({ path }) => layerOf(path))
    .filter((layer) => !(layer in RANK) && !(layer in OUTSIDE));
  expect(strangers).toEqual([]);
  expect(files.length).toBeGreaterThan(50);
});

test('no import points to the left, and layers of one rank do not import each other', () => {
  const broken = files.flatMap(({ path, imports }) =>
    imports
      .filter((target) => target.startsWith('src/') && !mayImport(layerOf(path), layerOf(target.slice(4))))
      .map((target) => `${path} → ${target}`),
  );
  expect(broken).toEqual([]);
});

test('the domain imports nothing outside itself and never awaits', () => {
  const domain = files.filter(({ path }) => layerOf(path) === 'domain');
  const foreign = domain.flatMap(({ path, imports }) =>
    imports.filter((target) => !target.startsWith('src/domain/')).map((target) => `${path} → ${target}`),
  );
  expect(foreign).toEqual([]);
  const waiting = domain.filter(({ path }) =>
    /\b(await|async|Promise|setTimeout|Date\.now)\b/.test(codeOf(path)),
  );
  expect(waiting).toEqual([]);
});

test('there are no import cycles', () => {
  const byPath = new Map(files.map((file) => [`src/${file.path}`, file]));
  const finished = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, trail: readonly string[]) => {
    if (trail.includes(path)) cycles.push([...trail.slice(trail.indexOf(path)), path].join(' → '));
    else if (!finished.has(path)) {
      for (const target of byPath.get(path)?.imports ?? [])
        if (byPath.has(target)) visit(target, [...trail, path]);
      finished.add(path);
    }
  };
  for (const path of byPath.keys()) visit(path, []);
  expect(cycles).toEqual([]);
});

test('SQL is only in the store', () => {
  const statement = /\b(SELECT\s.+\sFROM|INSERT INTO|DELETE FROM|UPDATE\s\w+\sSET)\b/;
  const leaks = files.filter(({ path }) => layerOf(path) !== 'store' && statement.test(codeOf(path)));
  expect(leaks.map(({ path }) => path)).toEqual([]);
});

test('only the configuration reads the environment', () => {
  const readers = files.filter(({ path }) => codeOf(path).includes('process.env'));
  expect(readers.map(({ path }) => path)).toEqual(['config.ts']);
});

test('only client-address.ts reads the address of a request', () => {
  const readers = files.filter(({ path }) => /\.ips?\b|remoteAddress|x-forwarded-/i.test(codeOf(path)));
  expect(readers.map(({ path }) => path)).toEqual(['http/client-address.ts']);
});

function mayImport(from: string, to: string): boolean {
  if (from === to) return true;
  if (to in OUTSIDE) return OUTSIDE[to]?.includes(from) ?? false;
  if (from in OUTSIDE) return to === 'domain';
  return (RANK[from] ?? 0) > (RANK[to] ?? 0);
}

/** `http/routes/runs.ts` → http, `main.ts` → main. */
function layerOf(path: string): string {
  return path.split('/')[0]?.replace(/\.ts$/, '') ?? '';
}

/** Relative imports as `src/…` paths, others as they are written. */
function importsOf(path: string): string[] {
  const specifiers = [
    ...readFileSync(join(SOURCE, path), 'utf8').matchAll(/\b(?:from |import\()'([^']+)'/g),
  ].map(([, name = '']) => name);
  return specifiers.map((specifier) =>
    specifier.startsWith('.')
      ? `src/${relative(SOURCE, join(SOURCE, dirname(path), specifier)).replace(/\.js$/, '.ts')}`
      : specifier,
  );
}

function codeOf(path: string): string {
  return readFileSync(join(SOURCE, path), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
}
