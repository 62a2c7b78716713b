import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';

const DIST = new URL('../dist/', import.meta.url);
const KILOBYTE = 1_000;
const FIRST_LOAD_LIMIT = 300 * KILOBYTE;

interface Chunk {
  readonly file: string;
  readonly imports?: string[];
}

const manifest: Record<string, Chunk> = JSON.parse(
  readFileSync(new URL('.vite/manifest.json', DIST), 'utf8'),
);

describe('the JavaScript of a first visit, gzipped', () => {
  test('is under 300 kB with the overview and its chart', () => {
    const entries = [
      'index.html',
      'src/pages/overview/overview-page.tsx',
      'src/pages/overview/spend-chart.tsx',
    ];
    expect(gzippedSizeOf(entries)).toBeLessThan(FIRST_LOAD_LIMIT);
  });

  test('does not include the chart library on pages without charts', () => {
    const chart = chunksOf(['src/pages/overview/spend-chart.tsx']);
    const start = new Set(chunksOf(['index.html', 'src/pages/runs/runs-page.tsx']));
    expect(chart.filter((file) => !start.has(file) && /chart/.test(file))).not.toEqual([]);
  });
});

function gzippedSizeOf(entries: readonly string[]): number {
  return chunksOf(entries).reduce((sum, file) => sum + gzipSync(readFileSync(new URL(file, DIST))).length, 0);
}

/** The files of the entries and of their transitive imports. */
function chunksOf(entries: readonly string[]): string[] {
  const names = new Set<string>();
  const visit = (name: string) => {
    if (names.has(name)) return;
    names.add(name);
    manifest[name]?.imports?.forEach(visit);
  };
  entries.forEach(visit);
  return [...names].map((name) => {
    const chunk = manifest[name];
    if (chunk === undefined) throw new Error(`The build has no ${name}`);
    return chunk.file;
  });
}
