import { expect, test } from 'vitest';
import { refusalOf, rightsOf } from '../src/session/rights.ts';

test.each([
  ['owner', { mayChange: true, mayOwn: true, mayAudit: true }],
  ['admin', { mayChange: true, mayOwn: false, mayAudit: true }],
  ['viewer', { mayChange: false, mayOwn: false, mayAudit: false }],
  [null, { mayChange: false, mayOwn: false, mayAudit: false }],
] as const)('the rights of the role %s', (role, rights) => {
  expect(rightsOf(role)).toEqual({ role, ...rights });
});

test('a member reads why something is missing; while the role is not known, there is nothing to say', () => {
  expect(refusalOf('viewer', 'change')).toBe('You are a viewer: you can look, and change nothing.');
  expect(refusalOf('viewer', 'own')).toBe(refusalOf('viewer', 'change'));
  expect(refusalOf('admin', 'own')).toBe('You are an admin: only an owner changes members and the plan.');
  expect(refusalOf('admin', 'change')).toBeNull();
  expect(refusalOf(null, 'own')).toBeNull();
});
