import { expect, test } from 'vitest';
import { type EndReason, runEndOf } from '../src/format/end-reason.ts';

test('a reason that a newer service sends is shown as it is', () => {
  const end = runEndOf('RUN_DURATION' as EndReason);
  expect(end.short).toBe('RUN_DURATION');
  expect(end.title).toBe('Ended by the service: RUN_DURATION');
});
