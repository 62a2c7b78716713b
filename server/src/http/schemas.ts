/**
 * Schemas that several routes share. Each schema is used for validation, types, serialization and OpenAPI. A schema with a
 * `title` becomes a component of that name in the OpenAPI document.
 */

import Type, { type Static, type TSchema } from 'typebox';
import { KEY_SCOPES, ROLES } from '../domain/access.js';
import { unprocessable } from '../domain/app-error.js';
import { OUTCOMES } from '../domain/decision.js';
import { MAX_LEASE_SECONDS, MIN_LEASE_SECONDS } from '../domain/lease.js';
import { MAX_WHOLE_USD, type PicoUsd, toPicoUsd } from '../domain/money.js';
import { MAX_NAME_LENGTH } from '../domain/name.js';
import { PLANS } from '../domain/plan.js';
import { DENY_REASONS } from '../domain/rules.js';
import { END_REASONS, END_STATUSES } from '../domain/run.js';
import { REPEAT_WINDOW, type RunLimits } from '../domain/run-limits.js';
import { STEP_STATUSES, STEP_TYPES } from '../domain/step.js';
import { definedOf } from '../domain/workspace.js';

export const MAX_TOKENS = Number.MAX_SAFE_INTEGER;
export const MAX_INT32 = 2 ** 31 - 1;

/** `type: [T, "null"]` instead of `anyOf`, because it is faster to serialize. */
export function Nullable<Schema extends TSchema & { type: string }>(schema: Schema, description?: string) {
  // The title belongs to the schema that is not nullable.
  const {
    enum: values,
    title: _,
    ...rest
  } = schema as Schema & { enum?: readonly unknown[]; title?: string };
  return Type.Unsafe<Static<Schema> | null>({
    ...rest,
    ...(values === undefined ? {} : { enum: [...values, null] }),
    ...(description === undefined ? {} : { description }),
    type: [schema.type, 'null'],
  });
}

export function Choice<const Values extends readonly string[]>(
  values: Values,
  options: { title?: string; description?: string } = {},
) {
  return Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], ...options }) as ReturnType<
    typeof Type.Unsafe<Values[number]>
  > & { type: 'string' };
}

/** An integer that may exceed 2⁵³, serialized exactly from a bigint. */
export const Total = (description: string) =>
  Type.Unsafe<bigint>({ type: 'integer', minimum: 0, description });

export const Usd = (description: string) => Type.Number({ description });

export const Uuid = Type.String({ format: 'uuid' });
export const Timestamp = Type.String({ format: 'date-time', description: 'ISO 8601, UTC' });
export const Name = (description: string) =>
  Type.String({ minLength: 1, maxLength: MAX_NAME_LENGTH, description });
export const Count = (description?: string) =>
  Type.Integer({ minimum: 0, ...(description === undefined ? {} : { description }) });

export const UtcDay = Type.String({ format: 'date', description: 'UTC day' });
/** Of a report by day, including today. */
export const ReportDays = Type.Integer({ minimum: 1, maximum: 366, default: 30 });

/** For `.` and `..`, which clients remove from a path. */
export const NameInsteadOfPath = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: MAX_NAME_LENGTH,
    description: 'Instead of the name in the path: for `.` and `..`, which clients remove from a path',
  }),
);

export const LeaseSeconds = Type.Integer({ minimum: MIN_LEASE_SECONDS, maximum: MAX_LEASE_SECONDS });

const Limit = (
  schema: ReturnType<typeof Type.Integer> | ReturnType<typeof Type.Number>,
  description: string,
) => Type.Optional(Nullable(schema, `${description}; null: no limit`));

/** Limits of one run. */
export const RunLimitFields = {
  max_cost_usd: Limit(Type.Number({ minimum: 0, maximum: MAX_WHOLE_USD }), 'Cost of all steps'),
  max_steps: Limit(Type.Integer({ minimum: 1, maximum: MAX_INT32 }), 'Steps, without denied ones'),
  max_duration_seconds: Limit(Type.Integer({ minimum: 1, maximum: MAX_INT32 }), 'Time since the start'),
  max_repeats: Limit(
    Type.Integer({ minimum: 1, maximum: REPEAT_WINDOW }),
    `Equal steps among the last ${REPEAT_WINDOW}, by type, model or tool, and input_data`,
  ),
};

export const ShownRunLimits = Type.Object(
  {
    max_cost_usd: Nullable(Usd('Cost of all steps'), 'null: no limit'),
    max_steps: Nullable(Type.Integer(), 'null: no limit'),
    max_duration_seconds: Nullable(Type.Integer(), 'null: no limit'),
    max_repeats: Nullable(Type.Integer(), 'null: no limit'),
  },
  { title: 'RunLimits' },
);

/** Undefined: no change. */
export function toRunLimits(
  given: Partial<Record<keyof typeof RunLimitFields, number | null>>,
  path: string,
): Partial<RunLimits> {
  const { max_cost_usd, max_steps, max_duration_seconds, max_repeats } = given;
  const maxCostPicoUsd = toAmount(max_cost_usd, `${path}/max_cost_usd`);
  return definedOf<RunLimits>({
    maxCostPicoUsd,
    maxSteps: max_steps,
    maxDurationSeconds: max_duration_seconds,
    maxRepeats: max_repeats,
  });
}

/** Exact, or 422. */
export function toAmount(usd: number | null | undefined, path: string): PicoUsd | null | undefined {
  if (usd === null || usd === undefined) return usd;
  const amount = toPicoUsd(usd);
  if (amount === null) throw unprocessable(`${path} must have at most 12 decimal places`);
  return amount;
}

/** Client data: any JSON object, or null. Stored as text and returned unchanged. */
export const Payload = Type.Unsafe<Record<string, unknown> | null>({
  type: ['object', 'null'],
  additionalProperties: true,
  title: 'Payload',
  description: 'Any JSON object; stored and returned unchanged',
});

export const DenyReason = Choice(DENY_REASONS, { title: 'DenyReason' });
export const EndReason = Choice(END_REASONS, { title: 'EndReason' });
export const EndStatus = Choice(END_STATUSES, { title: 'EndStatus' });
export const KeyScope = Choice(KEY_SCOPES, {
  title: 'KeyScope',
  description:
    'admin: everything that a key may do; agent: writes on runs and steps, and reads of runs and prices; read: only reads',
});
export const Outcome = Choice(OUTCOMES, { title: 'Outcome' });
export const PlanName = Choice(PLANS, { title: 'Plan' });
export const StepStatus = Choice(STEP_STATUSES, {
  title: 'StepStatus',
  description: 'BLOCKED if a rule denied the step',
});
export const StepType = Choice(STEP_TYPES, { title: 'StepType' });

export const DecisionBody = Type.Object(
  {
    outcome: Outcome,
    reason: Nullable(DenyReason, 'null if allowed'),
  },
  { title: 'Decision' },
);

export const TokenBody = Type.Object(
  {
    access_token: Type.String({ description: 'A JWT for the Authorization header' }),
    token_type: Type.Unsafe<'bearer'>({ type: 'string', enum: ['bearer'] }),
  },
  { title: 'Token' },
);

export const Email = Type.String({
  minLength: 3,
  maxLength: 254,
  // Without characters that do not show, which would change how the e-mail of somebody else is displayed.
  pattern: '^[^\\s@\\p{C}]+@[^\\s@\\p{C}]+$',
  description: 'Not case-sensitive',
});

export const RoleName = Choice(ROLES, {
  title: 'Role',
  description: 'owner: everything. admin: everything but members and billing. viewer: only reads.',
});

/** An account, as its owner and the other members see it. */
export const MemberFields = {
  id: Uuid,
  email: Type.String(),
  name: Nullable(Type.String()),
  role: RoleName,
  created_at: Timestamp,
};

export const PageParameters = {
  page: Type.Integer({ minimum: 1, maximum: MAX_INT32, default: 1 }),
  per_page: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
};

export function PageOf<Item extends TSchema>(item: Item) {
  return Type.Object({
    items: Type.Array(item),
    total: Count('The number of matching items on all pages'),
    page: Type.Integer(),
    per_page: Type.Integer(),
  });
}

export function toPageQuery({ page, per_page }: { page: number; per_page: number }) {
  return { offset: (page - 1) * per_page, limit: per_page };
}

export const ErrorBody = Type.Object(
  { detail: Type.String({ description: 'What is wrong, and where' }) },
  { title: 'Error', description: 'The body of every error response' },
);

/** The documented error responses: the name in `components.responses` and the description. */
export const ERROR_RESPONSES = {
  400: { name: 'BadRequest', description: 'Malformed request, or not possible in the current state' },
  401: { name: 'Unauthorized', description: 'No valid credential of the required kind' },
  403: {
    name: 'Forbidden',
    description:
      'Not available on the plan of the workspace, with the scope of the API key or with the role of the member',
  },
  404: { name: 'NotFound', description: 'Not found' },
  413: { name: 'ContentTooLarge', description: 'The body is too large' },
  415: { name: 'UnsupportedMediaType', description: 'The body is not JSON, or is compressed' },
  422: {
    name: 'UnprocessableContent',
    description: 'A value is missing, of the wrong type or out of range',
  },
  429: {
    name: 'TooManyRequests',
    description: 'Too many failed sign-ins or registrations; see Retry-After',
  },
  500: { name: 'InternalServerError', description: 'Internal server error' },
  503: {
    name: 'ServiceUnavailable',
    description: 'The database is unavailable, or the service is overloaded; see Retry-After',
  },
} as const;
type ErrorStatus = keyof typeof ERROR_RESPONSES;

/** The error responses of a route in addition to those that openapi.ts derives. */
export function errors<const Status extends ErrorStatus>(
  ...statuses: Status[]
): Record<Status, typeof ErrorBody> {
  const bodies = statuses.map((status) => [
    status,
    { ...ErrorBody, 'x-response-description': ERROR_RESPONSES[status].description },
  ]);
  return Object.fromEntries(bodies) as Record<Status, typeof ErrorBody>;
}
