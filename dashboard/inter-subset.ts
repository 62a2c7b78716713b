/**
 * The part of the font that the dashboard uses: the characters and weights that src/styles.css declares for it. Less than
 * two thirds of the bytes.
 */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import subsetFont from 'subset-font';

const SOURCE = '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2';
const STYLES = join(import.meta.dirname, 'src/styles.css');
const TARGET = join(import.meta.dirname, 'node_modules/.cache/inter-subset.woff2');

/** Writes the font and returns its path. */
export async function writeInterSubset(): Promise<string> {
  const font = readFileSync(createRequire(import.meta.url).resolve(SOURCE));
  const { characters, weights } = readFontFace(readFileSync(STYLES, 'utf8'));
  const subset = await subsetFont(font, characters, {
    targetFormat: 'woff2',
    variationAxes: { wght: weights },
  });
  mkdirSync(dirname(TARGET), { recursive: true });
  writeFileSync(TARGET, subset);
  return TARGET;
}

function readFontFace(styles: string) {
  const [face = ''] = /@font-face \{[^}]+\}/.exec(styles) ?? [];
  const [, min, max] = /font-weight: (\d+) (\d+);/.exec(face) ?? [];
  const [, ranges = ''] = /unicode-range:([^;]+);/.exec(face) ?? [];
  const characters = [...ranges.matchAll(/U\+([0-9A-F]+)(?:-([0-9A-F]+))?/g)].flatMap(
    ([, first = '', last = first]) => {
      const start = Number.parseInt(first, 16);
      const length = Number.parseInt(last, 16) - start + 1;
      return Array.from({ length }, (_, index) => String.fromCodePoint(start + index));
    },
  );
  if (min === undefined || max === undefined || characters.length === 0) {
    throw new Error('src/styles.css declares no font with weights and a unicode-range');
  }
  return { characters: characters.join(''), weights: { min: Number(min), max: Number(max) } };
}
