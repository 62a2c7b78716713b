import { expect, test } from 'vitest';
import { commandsOf, DENIAL_SNIPPETS, KEY_PLACEHOLDER, RUN_SNIPPETS } from '../src/pages/setup/snippets.ts';

const GIVEN = { url: 'https://guard.example.com', apiKey: 'lg_12345678_secret' };
const ALL = [...RUN_SNIPPETS, ...DENIAL_SNIPPETS];

test.each(ALL)('$label has the URL and the key', ({ codeOf }) => {
  const code = codeOf(GIVEN);
  expect(code).toContain(GIVEN.url);
  expect(code).toContain(GIVEN.apiKey);
});

test.each(ALL.filter(({ language }) => language === 'node'))(
  '$label is installed with what it imports',
  (snippet) => {
    const imported = [...snippet.codeOf(GIVEN).matchAll(/ from '((?:@[\w-]+\/)?[\w-]+)/g)].map(
      ([, name]) => name,
    );
    const installed = commandsOf(snippet)?.split('\n')[0]?.split(' ').slice(2);
    expect(installed).toEqual(expect.arrayContaining([...new Set(imported)]));
  },
);

test('without a key, the code says where to get one, in a text that fits a header', () => {
  expect(KEY_PLACEHOLDER).toContain('Settings');
  expect(KEY_PLACEHOLDER).toMatch(/^[ -~]+$/);
  expect(KEY_PLACEHOLDER).not.toMatch(/['"\\]/);
});
