/**
 * The entries of the audit log as sentences. The actions and settings come from the API types: a new one does not compile until it
 * has words here. Pure.
 */

import type { Schemas } from '../api/api-client.ts';
import { formatCount } from './count.ts';
import { formatLimit, LIMIT_FIELDS, LIMITS, type LimitField } from './limits.ts';
import { userHref } from './page-address.ts';
import { ROLES } from './roles.ts';
import { formatPerMillion } from './token-price.ts';

export type AuditEntry = Schemas['AuditEntry'];
export type AuditAction = Schemas['AuditAction'];
type Actor = AuditEntry['actor'];

/** A part of a sentence that leads somewhere. */
export interface LinkPart {
  readonly text: string;
  readonly href: string;
}

export type Part = string | LinkPart;

/** Who did it, to begin a sentence. */
export function actorName({ type, label }: Actor): string {
  if (type === 'api_key') return `Key “${label}”`;
  if (type === 'operator') return 'The command line';
  return type === 'system' ? 'The service' : label;
}

/** What was done: the sentence after the name of the actor. */
export function describeEntry(entry: AuditEntry): readonly Part[] {
  const known: Partial<Record<string, Activity>> = ACTIVITIES;
  // A server that was upgraded after this page was loaded may send actions that the page does not know.
  const parts = known[entry.action]?.describe(entry) ?? `did ${entry.action}`;
  return typeof parts === 'string' ? [parts] : parts;
}

export function actionLabel(action: AuditAction): string {
  return ACTIVITIES[action].label;
}

interface Activity {
  /** For the filter. */
  readonly label: string;
  readonly describe: (entry: AuditEntry) => string | readonly Part[];
}

/** In the order of the filter: what lifts a guardrail first. */
const ACTIVITIES: Readonly<Record<AuditAction, Activity>> = {
  'kill_switch.turned_on': { label: 'Kill switch turned on', describe: describeSettings },
  'kill_switch.turned_off': { label: 'Kill switch turned off', describe: describeSettings },
  'workspace.updated': { label: 'Settings changed', describe: describeSettings },
  'plan.changed': { label: 'Plan changed', describe: describeSettings },
  'price.set': { label: 'Price set', describe: describePrice },
  'user.blocked': { label: 'User blocked', describe: describeBlock },
  'user.unblocked': {
    label: 'User unblocked',
    describe: ({ target }) => ['unblocked user ', userLink(target)],
  },
  'run.stopped': {
    label: 'Run stopped',
    describe: ({ target }) => ['stopped ', { text: 'a run', href: `/runs/${target ?? ''}` }],
  },
  'api_key.created': { label: 'Key created', describe: ({ after }) => `created the ${keyIn(after)}` },
  'api_key.revoked': {
    label: 'Key revoked',
    describe: ({ before }) => `revoked the ${keyIn(before)}`,
  },
  'api_keys.regenerated': {
    label: 'Keys regenerated',
    describe: ({ after }) => `revoked all keys and created the ${keyIn(after)}`,
  },
  'member.invited': {
    label: 'Member invited',
    describe: ({ target, after }) => `invited ${target} as ${textIn(after, 'role') ?? 'a member'}`,
  },
  'invitation.revoked': {
    label: 'Invitation revoked',
    describe: ({ target }) => `revoked the invitation of ${target}`,
  },
  'member.joined': {
    label: 'Member joined',
    describe: ({ after }) => `joined as ${textIn(after, 'role') ?? 'a member'}`,
  },
  'member.role_changed': {
    label: 'Role changed',
    describe: ({ target, before, after }) => `made ${target} ${roleNoun(after)}, who was ${roleNoun(before)}`,
  },
  'member.removed': {
    label: 'Member removed',
    describe: ({ target, before }) => `removed ${target}, who was ${roleNoun(before)}`,
  },
  'account.registered': {
    label: 'Account registered',
    describe: () => 'registered and created the workspace',
  },
  'account.signed_in': { label: 'Signed in', describe: () => 'signed in' },
  'account.password_changed': { label: 'Password changed', describe: () => 'changed their password' },
  'account.password_reset': {
    label: 'Password reset',
    describe: () => 'set a new password with a link from the operator',
  },
  'account.sessions_ended': { label: 'Signed out everywhere', describe: () => 'signed out everywhere' },
};

// Object.keys() returns strings; the type of ACTIVITIES guarantees that these are all actions.
export const AUDIT_ACTIONS = Object.keys(ACTIVITIES) as AuditAction[];

/** Of a list in a sentence. */
const NAMES_SHOWN = 5;

type Fields = AuditEntry['after'];

/** A setting before and after its change. */
interface Change {
  readonly from: unknown;
  readonly to: unknown;
}

/** The settings of a workspace other than limits. Its id never changes. */
type OtherSetting =
  | Exclude<keyof Schemas['Workspace'], LimitField | 'id' | 'run_limits'>
  | Exclude<keyof Schemas['Workspace']['run_limits'], LimitField>
  | 'plan';

/** The cause before its effects: a change of plan may reset other settings. */
const OTHER_SETTINGS: Readonly<Record<OtherSetting, (change: Change) => string>> = {
  plan: ({ from, to }) => `changed the plan from ${from} to ${to}`,
  kill_switch: ({ to }) => `turned the kill switch ${to === true ? 'on' : 'off'}`,
  name: ({ from, to }) => `renamed the workspace from “${from}” to “${to}”`,
  slug: ({ from, to }) => `changed the slug from ${from} to ${to}`,
  require_holds: ({ to }) => (to === true ? 'required holds' : 'made holds optional'),
  deny_unpriced_models: ({ to }) => `${to === true ? 'denied' : 'allowed'} models without a price`,
  repeat_exempt_tools: ({ from, to }) =>
    `changed the tools that may repeat from ${namesIn(from)} to ${namesIn(to)}`,
};

function describeSettings({ before, after }: AuditEntry): string {
  const from = flat(before);
  const to = flat(after);
  const changed = Object.keys(to).filter(
    (field) => JSON.stringify(from[field]) !== JSON.stringify(to[field]),
  );
  const order: string[] = [...Object.keys(OTHER_SETTINGS), ...LIMIT_FIELDS];
  const clauses = changed
    .sort((left, right) => order.indexOf(left) - order.indexOf(right))
    .map((field) => describeSetting(field, { from: from[field], to: to[field] }));
  return clauses.length === 0 ? 'changed the settings' : listOf(clauses);
}

/** With the limits of runs among the others. */
function flat(fields: Fields): Readonly<Record<string, unknown>> {
  const { run_limits: runLimits, ...others } = fields ?? {};
  return { ...others, ...(typeof runLimits === 'object' ? runLimits : {}) };
}

function describeSetting(field: string, change: Change): string {
  if (isLimit(field)) return describeLimitChange(field, change);
  const others: Partial<Record<string, (change: Change) => string>> = OTHER_SETTINGS;
  return others[field]?.(change) ?? `changed ${field}`;
}

function isLimit(field: string): field is LimitField {
  return field in LIMITS;
}

function describeLimitChange(field: LimitField, { from, to }: Change): string {
  const { noun } = LIMITS[field];
  if (typeof to !== 'number') {
    return `removed the ${noun}${typeof from === 'number' ? ` (${formatLimit(field, from)})` : ''}`;
  }
  if (typeof from !== 'number') return `set the ${noun} to ${formatLimit(field, to)}`;
  const verb = to > from ? 'raised' : 'lowered';
  return `${verb} the ${noun} from ${formatLimit(field, from)} to ${formatLimit(field, to)}`;
}

type PriceField = Exclude<keyof Schemas['ModelPrice'], 'id' | 'model' | 'is_active'>;

const PRICE_NAMES: Readonly<Record<PriceField, string>> = {
  input_cost_per_token: 'input',
  cache_read_cost_per_token: 'cache read',
  cache_write_cost_per_token: 'cache write',
  output_cost_per_token: 'output',
};

function describePrice({ target, before, after }: AuditEntry): string {
  const prices = Object.entries(PRICE_NAMES).flatMap(([field, name]) => {
    const to = after?.[field];
    if (to === undefined || (before === null && to === null)) return [];
    const now = formatPrice(to);
    return [before === null ? `${now} ${name}` : `${name} from ${formatPrice(before[field])} to ${now}`];
  });
  const verb =
    before === null
      ? 'set'
      : after?.['is_active'] === undefined
        ? 'changed'
        : after['is_active'] === true
          ? 'activated'
          : 'deactivated';
  const sentence = `${verb} the price of ${target}`;
  return prices.length === 0 ? sentence : `${sentence}: ${prices.join(', ')} per million tokens`;
}

function formatPrice(perToken: unknown): string {
  return typeof perToken === 'number' ? formatPerMillion(perToken) : 'the input price';
}

/** For example "agent key “ci”" or "agent key “ci” for user ada". */
function keyIn(key: Fields): string {
  const user = textIn(key, 'user_id');
  const name = textIn(key, 'label') ?? `lg_${textIn(key, 'prefix') ?? ''}_…`;
  return `${textIn(key, 'scope') ?? 'API'} key “${name}”${user === null ? '' : ` for user ${user}`}`;
}

/** A note is said, and a change of only the note is told apart. */
function describeBlock({ target, before, after }: AuditEntry): readonly Part[] {
  const note = textIn(after, 'block_note');
  const said = note === null ? [] : [`: “${note}”`];
  const isOnlyNote = after !== null && 'block_note' in after && !('blocked' in after);
  if (!isOnlyNote) return ['blocked user ', userLink(target), ...said];
  const verb = note === null ? 'removed' : before?.['block_note'] == null ? 'added' : 'changed';
  return [`${verb} the note on the block of user `, userLink(target), ...said];
}

function userLink(userId: string | null): LinkPart {
  return { text: userId ?? '', href: userHref(userId ?? '') };
}

function roleNoun(fields: Fields): string {
  const role = textIn(fields, 'role') ?? '';
  const known: Partial<Record<string, { noun: string }>> = ROLES;
  return known[role]?.noun ?? `a member with the role ${role}`;
}

/** For example "“poll” and “wait”". */
function namesIn(value: unknown): string {
  const names = Array.isArray(value) ? value.map((name) => `“${name}”`) : [];
  const rest = names.length - NAMES_SHOWN;
  if (names.length === 0) return 'none';
  return listOf(rest > 0 ? [...names.slice(0, NAMES_SHOWN), `${formatCount(rest)} more`] : names);
}

function textIn(fields: Fields, name: string): string | null {
  const value = fields?.[name];
  return typeof value === 'string' ? value : null;
}

function listOf(clauses: readonly string[]): string {
  return clauses.length < 2 ? clauses.join('') : `${clauses.slice(0, -1).join(', ')} and ${clauses.at(-1)}`;
}
