import { describe, expect, test } from 'vitest';
import {
  AUDIT_ACTIONS,
  type AuditAction,
  type AuditEntry,
  actionLabel,
  actorName,
  describeEntry,
} from '../src/format/activity.ts';

const KEY_ID = '0195a1b2-0000-7000-8000-000000000001';
const RUN_ID = '0195a1b2-0000-7000-8000-000000000002';
const ADA: AuditEntry['actor'] = { type: 'account', id: 'a', label: 'ada@example.com' };

type Given = Partial<Pick<AuditEntry, 'target' | 'before' | 'after'>>;

const KEY = { id: KEY_ID, prefix: 'abc', label: 'ci', scope: 'agent', user_id: null };
const PRICE = {
  model: 'gpt-4o',
  input_cost_per_token: 0.0000025,
  output_cost_per_token: 0.00001,
  cache_read_cost_per_token: null,
  cache_write_cost_per_token: null,
  is_active: true,
};

/** Every action: a new one does not compile until it has a row. */
const ACTIONS: Readonly<Record<AuditAction, readonly (readonly [Given, string])[]>> = {
  'account.registered': [
    [{ after: { email: 'ada@example.com', name: null } }, 'registered and created the workspace'],
  ],
  'account.signed_in': [[{}, 'signed in']],
  'account.password_changed': [[{}, 'changed their password']],
  'account.password_reset': [[{}, 'set a new password with a link from the operator']],
  'account.sessions_ended': [[{}, 'signed out everywhere']],
  'api_key.created': [
    [{ target: KEY_ID, after: KEY }, 'created the agent key “ci”'],
    [{ after: { ...KEY, user_id: 'ada' } }, 'created the agent key “ci” for user ada'],
    [{ after: { ...KEY, label: null, scope: 'read' } }, 'created the read key “lg_abc_…”'],
  ],
  'api_key.revoked': [
    [{ target: KEY_ID, before: KEY }, 'revoked the agent key “ci”'],
    [{ target: KEY_ID, before: { ...KEY, label: null } }, 'revoked the agent key “lg_abc_…”'],
  ],
  'api_keys.regenerated': [
    [
      { target: KEY_ID, after: { ...KEY, label: 'default', scope: 'admin' } },
      'revoked all keys and created the admin key “default”',
    ],
  ],
  'invitation.revoked': [
    [
      { target: 'grace@example.com', before: { role: 'admin' } },
      'revoked the invitation of grace@example.com',
    ],
  ],
  'kill_switch.turned_on': [
    [{ before: { kill_switch: false }, after: { kill_switch: true } }, 'turned the kill switch on'],
  ],
  'kill_switch.turned_off': [
    [{ before: { kill_switch: true }, after: { kill_switch: false } }, 'turned the kill switch off'],
  ],
  'member.invited': [
    [{ target: 'grace@example.com', after: { role: 'admin' } }, 'invited grace@example.com as admin'],
  ],
  'member.joined': [[{ target: 'ada@example.com', after: { role: 'viewer' } }, 'joined as viewer']],
  'member.removed': [
    [
      { target: 'grace@example.com', before: { role: 'owner' } },
      'removed grace@example.com, who was an owner',
    ],
  ],
  'member.role_changed': [
    [
      { target: 'grace@example.com', before: { role: 'admin' }, after: { role: 'viewer' } },
      'made grace@example.com a viewer, who was an admin',
    ],
  ],
  'plan.changed': [
    [{ before: { plan: 'basic' }, after: { plan: 'pro' } }, 'changed the plan from basic to pro'],
    [
      {
        before: { kill_switch: true, user_daily_budget_usd: 2, plan: 'scale' },
        after: { kill_switch: false, user_daily_budget_usd: null, plan: 'basic' },
      },
      'changed the plan from scale to basic, turned the kill switch off and removed the daily budget per user ($2.00)',
    ],
  ],
  'price.set': [
    [
      { target: 'gpt-4o', after: PRICE },
      'set the price of gpt-4o: $2.50 input, $10.00 output per million tokens',
    ],
    [
      {
        target: 'gpt-4o',
        before: { input_cost_per_token: 0.0000025, cache_read_cost_per_token: null },
        after: { input_cost_per_token: 0.000003, cache_read_cost_per_token: 0.000001 },
      },
      'changed the price of gpt-4o: input from $2.50 to $3.00, cache read from the input price to $1.00 per million tokens',
    ],
    [
      { target: 'gpt-4o', before: { is_active: true }, after: { is_active: false } },
      'deactivated the price of gpt-4o',
    ],
    [
      { target: 'gpt-4o', before: { is_active: false }, after: { is_active: true } },
      'activated the price of gpt-4o',
    ],
  ],
  'run.stopped': [[{ target: RUN_ID, after: { status: 'FAILED' } }, 'stopped a run']],
  'user.blocked': [[{ target: 'ada', after: { blocked: true } }, 'blocked user ada']],
  'user.unblocked': [[{ target: 'ada', after: { blocked: false } }, 'unblocked user ada']],
  'workspace.updated': [
    [
      { before: { daily_budget_usd: 10 }, after: { daily_budget_usd: 50 } },
      'raised the daily budget from $10.00 to $50.00',
    ],
    [
      {
        before: { require_holds: false, max_concurrent_runs: 20, run_lease_seconds: null },
        after: { require_holds: true, max_concurrent_runs: 5, run_lease_seconds: 90 },
      },
      'required holds, lowered the limit of concurrent runs from 20 to 5 and set the lease of runs to 90 seconds',
    ],
    [{ before: null, after: null }, 'changed the settings'],
  ],
};

describe.each(AUDIT_ACTIONS)('%s', (action) => {
  test.each(ACTIONS[action])('%j reads "%s"', (given, sentence) => {
    expect(textOf({ action, ...given })).toBe(sentence);
  });

  test('has a label for the filter', () => {
    expect(actionLabel(action)).toMatch(/^[A-Z][a-z ]+$/);
  });
});

describe('a setting', () => {
  test.each([
    ['name', 'Old', 'New', 'renamed the workspace from “Old” to “New”'],
    ['slug', 'old-1', 'new-1', 'changed the slug from old-1 to new-1'],
    ['daily_budget_usd', null, 0.02, 'set the daily budget to $0.02'],
    ['daily_budget_usd', 50, 10, 'lowered the daily budget from $50.00 to $10.00'],
    ['daily_budget_usd', 10, null, 'removed the daily budget ($10.00)'],
    ['user_daily_budget_usd', 1, 2, 'raised the daily budget per user from $1.00 to $2.00'],
    ['max_concurrent_runs', 3, 1000, 'raised the limit of concurrent runs from 3 to 1,000'],
    ['run_lease_seconds', 3600, 90, 'lowered the lease of runs from 1 hour to 90 seconds'],
    ['require_holds', true, false, 'made holds optional'],
    ['deny_unpriced_models', false, true, 'denied models without a price'],
    ['deny_unpriced_models', true, false, 'allowed models without a price'],
    ['added_later', 1, 2, 'changed added_later'],
  ])('%s from %j to %j reads "%s"', (field, from, to, sentence) => {
    const given = { before: { [field]: from }, after: { [field]: to } };
    expect(textOf({ action: 'workspace.updated', ...given })).toBe(sentence);
  });

  test.each([
    ['max_cost_usd', null, 2, 'set the cost limit of a run to $2.00'],
    ['max_steps', 10, null, 'removed the step limit of a run (10)'],
    ['max_duration_seconds', 60, 3600, 'raised the duration limit of a run from 60 seconds to 1 hour'],
    ['max_repeats', 5, 3, 'lowered the limit of equal steps from 5 to 3'],
    [
      'repeat_exempt_tools',
      [],
      ['poll', 'wait'],
      'changed the tools that may repeat from none to “poll” and “wait”',
    ],
    [
      'repeat_exempt_tools',
      ['a', 'b', 'c', 'd', 'e', 'f', 'g'],
      ['a'],
      'changed the tools that may repeat from “a”, “b”, “c”, “d”, “e” and 2 more to “a”',
    ],
  ])(
    '%s within run_limits from %j to %j reads "%s"; the others did not change',
    (field, from, to, sentence) => {
      const others = {
        max_cost_usd: null,
        max_steps: null,
        max_duration_seconds: null,
        max_repeats: null,
        repeat_exempt_tools: [],
      };
      const before = { run_limits: { ...others, [field]: from } };
      const after = { run_limits: { ...others, [field]: to } };
      expect(textOf({ action: 'workspace.updated', before, after })).toBe(sentence);
    },
  );
});

test('a run links to the run, and a user to the page of the user', () => {
  expect(describeEntry(entryOf({ action: 'run.stopped', target: RUN_ID }))).toContainEqual({
    text: 'a run',
    href: `/runs/${RUN_ID}`,
  });
  expect(describeEntry(entryOf({ action: 'user.blocked', target: 'a&b' }))).toContainEqual({
    text: 'a&b',
    href: '/users/view?user=a%26b',
  });
});

test('an action that the page does not know is shown as it is', () => {
  expect(textOf({ action: 'moon.landed' as AuditAction })).toBe('did moon.landed');
});

test.each([
  ['account', 'ada@example.com', 'ada@example.com'],
  ['api_key', 'ci', 'Key “ci”'],
  ['operator', 'command line', 'The command line'],
  ['system', 'system', 'The service'],
] as const)('an actor of type %s begins a sentence', (type, label, name) => {
  expect(actorName({ type, id: null, label })).toBe(name);
});

function textOf(given: Given & { action: AuditAction }): string {
  return describeEntry(entryOf(given))
    .map((part) => (typeof part === 'string' ? part : part.text))
    .join('');
}

function entryOf(given: Given & { action: AuditAction }): AuditEntry {
  return {
    id: '',
    created_at: '2026-03-14T12:00:00.000Z',
    actor: ADA,
    target: null,
    before: null,
    after: null,
    request_id: null,
    ip_address: null,
    ...given,
  };
}

test.each([
  [{ blocked: false }, { blocked: true }, 'blocked user ada'],
  [
    { blocked: false, block_note: null },
    { blocked: true, block_note: 'Ticket 7' },
    'blocked user ada: “Ticket 7”',
  ],
  [{ block_note: null }, { block_note: 'Why' }, 'added the note on the block of user ada: “Why”'],
  [{ block_note: 'Why' }, { block_note: 'B' }, 'changed the note on the block of user ada: “B”'],
  [{ block_note: 'Why' }, { block_note: null }, 'removed the note on the block of user ada'],
])('a block says its note: %j to %j', (before, after, expected) => {
  const parts = describeEntry(entryOf({ action: 'user.blocked', target: 'ada', before, after }));
  expect(parts.map((part) => (typeof part === 'string' ? part : part.text)).join('')).toBe(expected);
});
