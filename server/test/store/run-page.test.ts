import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findRunPage } from '../../src/store/run-page.js';

const query = { workspaceId: 'w', status: null, userId: null };

test('every page, however it is found, equals its part of a plain list', () => {
  const natural = fc.integer({ min: 0, max: 60 });
  fc.assert(
    fc.property(
      natural,
      natural,
      fc.integer({ min: 1, max: 20 }),
      fc.boolean(),
      (total, offset, limit, filtered) => {
        const newestFirst = Array.from({ length: total }, (_, index) => total - index);
        const page = findRunPage(
          { ...query, userId: filtered ? 'u' : null, offset, limit },
          { total, newest: total },
        );
        const expected = newestFirst.slice(offset, offset + limit);
        if (page.kind === 'empty') expect(expected).toEqual([]);
        else if (page.kind === 'positions') {
          expect(
            newestFirst.filter((position) => position >= page.oldest && position <= page.newest),
          ).toEqual(expected);
        } else {
          const ordered = page.order === 'DESC' ? newestFirst : [...newestFirst].reverse();
          const found = ordered.slice(page.offset, page.offset + page.limit);
          expect(found.sort((left, right) => right - left)).toEqual(expected);
          expect(page.offset).toBeLessThanOrEqual(total / 2);
        }
      },
    ),
  );
});
