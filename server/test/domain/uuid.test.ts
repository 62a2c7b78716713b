import { expect, test } from 'vitest';
import { timeOfUuid, uuidsWithPrefix, uuidV7 } from '../../src/domain/uuid.js';

const V4 = '5f2b9c1e-7a44-4d0b-8c3e-6f1a2b3c4d5e';

test('a version 7 UUID tells when it was made', () => {
  const at = Date.parse('2026-03-14T12:00:00.123Z');
  expect(timeOfUuid(uuidV7(at, V4))).toBe(at);
});

test('the UUIDs that begin with a text are between two of them', () => {
  expect(uuidsWithPrefix('019A-')).toBeNull();
  expect(uuidsWithPrefix('019ABCDE-F')).toEqual({
    first: '019abcde-f000-0000-0000-000000000000',
    last: '019abcde-ffff-ffff-ffff-ffffffffffff',
  });
  expect(uuidsWithPrefix(V4)).toEqual({ first: V4, last: V4 });
});

test.each(['user', '019abcdef', '019abcde--', `${V4}0`, '%'])('no UUID begins with %s', (text) => {
  expect(uuidsWithPrefix(text)).toBeNull();
});
