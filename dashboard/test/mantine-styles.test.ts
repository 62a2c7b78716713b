/** The styles of Mantine are imported one by one, so that the page loads only those in use. Without them, a component looks broken. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const SOURCE = fileURLToPath(new URL('../src/', import.meta.url));
const STYLES = fileURLToPath(new URL('../../node_modules/@mantine/core/styles/', import.meta.url));

test('every component of Mantine that is used has its styles', () => {
  const imported = readFileSync(join(SOURCE, 'mantine-styles.css'), 'utf8');
  const used = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx'))
    .flatMap((file) => componentsOf(readFileSync(join(SOURCE, file), 'utf8')));
  const styled = [...new Set(used)].filter((name) => existsSync(join(STYLES, `${name}.css`)));
  expect(styled.length).toBeGreaterThan(10);
  expect(styled.filter((name) => !imported.includes(`/${name}.css"`))).toEqual([]);
});

test('no component uses a palette of Mantine that the build drops', () => {
  const config = readFileSync(join(SOURCE, '../vite.config.ts'), 'utf8');
  const [, dropped = ''] = /--mantine-color-\(([a-z|]+)\)/.exec(config) ?? [];
  expect(dropped).toContain('blue|');
  const used = new RegExp(`['"](?:${dropped})(?:\\.\\d)?['"]|--mantine-color-(?:${dropped})-`);
  const offenders = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(tsx?|css)$/.test(file))
    .filter((file) => used.test(readFileSync(join(SOURCE, file), 'utf8')));
  expect(offenders).toEqual([]);
});

function componentsOf(source: string): string[] {
  const [, names = ''] = /import \{([^}]+)\} from '@mantine\/core'/.exec(source) ?? [];
  return names.match(/\b[A-Z]\w+/g) ?? [];
}
