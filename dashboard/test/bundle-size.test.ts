import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';

const DIST = new URL('../dist/', import.meta.url);
const KILOBYTE = 1_000;
const FIRST_LOAD_LIMIT = 150 * KILOBYTE;
const FILES_LIMIT = 4;

interface Chunk {
  readonly file: string;
  readonly imports?: string[];
}

const manifest: Record<string, Chunk> = JSON.parse(
  readFileSync(new URL('.vite/manifest.json', DIST), 'utf8'),
);

describe('the JavaScript of a page, gzipped', () => {
  test('is under 150 kB for the overview', () => {
    expect(gzippedSizeOf(['index.html'])).toBeLessThan(FIRST_LOAD_LIMIT);
  });

  test('is a few files for every other page', () => {
    const pages = Object.keys(manifest).filter((name) => /^src\/pages\/.*-page\.tsx$/.test(name));
    expect(pages.length).toBeGreaterThan(8);
    for (const page of pages) {
      expect(chunksOf(['index.html', page]).length, page).toBeLessThanOrEqual(FILES_LIMIT);
    }
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
