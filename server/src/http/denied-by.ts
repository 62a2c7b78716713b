/** What a denial was decided by, for requests that ask for it. */

import Type, { type Static } from 'typebox';
import { toIsoTimestamp } from '../domain/period.js';
import { RULE_NAMES } from '../domain/rules.js';
import type { DeniedBy } from '../engine/replies.js';
import { Choice, Nullable, Timestamp } from './schemas.js';

/** What a rule compared. */
export const ComparedFields = {
  rule: Choice(RULE_NAMES, { title: 'RuleName' }),
  limit: Nullable(Type.Number(), 'null if no limit was set or the rule is a switch'),
  value: Type.Unsafe<number | boolean>({
    type: ['number', 'boolean'],
    description: 'The value that was compared: USD, a count, or the state of a switch',
  }),
  resets_at: Nullable(Timestamp, 'When the value is reset to zero; null if it is not'),
};

/** In a request. */
export const Explain = Type.Optional(
  Type.Boolean({ description: 'Whether the response to a denial has `denied_by`' }),
);

const DeniedByBody = Type.Object(ComparedFields, { title: 'DeniedBy' });

/** In a response. */
export const DeniedByField = Type.Optional(
  Nullable(DeniedByBody, 'Only of a denial, if the request has `explain`; null if the run has ended'),
);

export function toDeniedBy(
  explain: boolean | undefined,
  { decision, deniedBy }: { decision: { outcome: string }; deniedBy?: DeniedBy },
): { denied_by?: Static<typeof DeniedByBody> | null } {
  if (explain !== true || decision.outcome === 'ALLOW') return {};
  if (deniedBy === undefined) return { denied_by: null };
  const { rule, limit, value, resetsAt } = deniedBy;
  return {
    denied_by: { rule, limit, value, resets_at: resetsAt === null ? null : toIsoTimestamp(resetsAt) },
  };
}
