import { expect, test } from 'vitest';
import { dayIn } from '../src/format/days.ts';
import { ALL_ACTIVITY, fromSearch, toHref, toMoments } from '../src/pages/activity/activity-filter.ts';

test('the URL keeps the filter', () => {
  const address = {
    action: 'price.set',
    actorId: 'a1',
    from: '2026-03-01',
    to: '2026-03-14',
    page: 2,
  } as const;
  expect(toHref(address)).toBe('/activity?action=price.set&actor=a1&from=2026-03-01&to=2026-03-14&page=2');
  expect(fromSearch(new URLSearchParams(toHref(address).split('?')[1]))).toEqual(address);
  expect(toHref(ALL_ACTIVITY)).toBe('/activity');
});

test('missing and invalid parameters do not filter', () => {
  expect(fromSearch(new URLSearchParams())).toEqual(ALL_ACTIVITY);
  expect(fromSearch(new URLSearchParams('action=nothing&actor=&from=soon&to=14.3.2026&page=-1'))).toEqual(
    ALL_ACTIVITY,
  );
});

test('a year that is being typed is not a day yet', () => {
  for (const text of ['', '0002-03-14', '0202-03-14', '20260-03-14', '9999-12-31']) {
    expect(dayIn(text)).toBeNull();
  }
  expect(dayIn('2026-03-14')).toBe('2026-03-14');
});

test('days are local, and the last one is included', () => {
  expect(toMoments({ from: '2026-03-14', to: '2026-03-14' })).toEqual({
    from: new Date(2026, 2, 14).toISOString(),
    to: new Date(2026, 2, 15).toISOString(),
  });
  expect(toMoments({ from: null, to: null })).toEqual({ from: null, to: null });
});
