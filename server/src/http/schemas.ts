/**
 * The shapes that several routes share. One schema serves validation, types, serialisation and OpenAPI, where a schema with
 * a `title` is a component of that name.
 */

import Type, { type Static, type TSchema } from 'typebox';
import { OUTCOMES } from '../domain/decision.js';
import { PLANS } from '../domain/plan.js';
import { DENY_REASONS } from '../domain/rules.js';
import { END_STATUSES } from '../domain/run.js';
import { STEP_STATUSES, STEP_TYPES } from '../domain/step.js';

export const MAX_TOKENS = Number.MAX_SAFE_INTEGER;
export const MAX_INT32 = 2 ** 31 - 1;
export const MAX_NAME_LENGTH = 255;

/** `type: [T, "null"]`, which serialises without trying alternatives. */
export function Nullable<Schema extends TSchema & { type: string }>(schema: Schema, description?: string) {
  // The title is the name of the schema without null.
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

/** An integer that may exceed 2⁵³: written exactly, from a bigint. */
export const Total = (description: string) =>
  Type.Unsafe<bigint>({ type: 'integer', minimum: 0, description });

export const Usd = (description: string) => Type.Number({ description });

export const Uuid = Type.String({ format: 'uuid' });
export const Timestamp = Type.String({ format: 'date-time', description: 'ISO 8601, UTC' });
export const Name = (description: string) =>
  Type.String({ minLength: 1, maxLength: MAX_NAME_LENGTH, description });
export const Count = (description?: string) =>
  Type.Integer({ minimum: 0, ...(description === undefined ? {} : { description }) });

/** An object of the client's own making, or null. Stored as text and returned as it was. */
export const Payload = Type.Unsafe<Record<string, unknown> | null>({
  type: ['object', 'null'],
  additionalProperties: true,
  title: 'Payload',
  description: 'Any JSON object; stored and returned as it is',
});

export const DenyReason = Choice(DENY_REASONS, { title: 'DenyReason' });
export const EndStatus = Choice(END_STATUSES, { title: 'EndStatus' });
export const Outcome = Choice(OUTCOMES, { title: 'Outcome' });
export const PlanName = Choice(PLANS, { title: 'Plan' });
export const StepStatus = Choice(STEP_STATUSES, {
  title: 'StepStatus',
  description: 'BLOCKED when the guardrails denied the step',
});
export const StepType = Choice(STEP_TYPES, { title: 'StepType' });

export const DecisionBody = Type.Object(
  {
    outcome: Outcome,
    reason: Nullable(DenyReason, 'null when allowed'),
  },
  { title: 'Decision' },
);

export const WorkspaceBody = Type.Object(
  {
    id: Uuid,
    name: Type.String(),
    slug: Type.String({ description: 'URL-safe identifier' }),
    kill_switch: Type.Boolean(),
    daily_budget_usd: Nullable(Usd('Workspace spend per UTC day'), 'null: unlimited'),
    user_daily_budget_usd: Nullable(
      Usd('Spend per user and UTC day'),
      'The same cap for every user; null: unlimited',
    ),
    max_concurrent_runs: Type.Integer(),
  },
  { title: 'Workspace' },
);

export const TokenBody = Type.Object(
  {
    access_token: Type.String({ description: 'A JWT for the Authorization header' }),
    token_type: Type.Unsafe<'bearer'>({ type: 'string', enum: ['bearer'] }),
  },
  { title: 'Token' },
);

export const PageParameters = {
  page: Type.Integer({ minimum: 1, maximum: MAX_INT32, default: 1 }),
  per_page: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
};

export function PageOf<Item extends TSchema>(item: Item) {
  return Type.Object({
    items: Type.Array(item),
    total: Count('All items that match, on whatever page'),
    page: Type.Integer(),
    per_page: Type.Integer(),
  });
}

export function toPageQuery({ page, per_page }: { page: number; per_page: number }) {
  return { offset: (page - 1) * per_page, limit: per_page };
}

export const ErrorBody = Type.Object(
  { detail: Type.String({ description: 'What is wrong, and where' }) },
  { title: 'Error', description: 'Every error has this shape' },
);

/** Every error answer that is documented: its name in `components.responses`, and when it is given. */
export const ERROR_ANSWERS = {
  400: { name: 'BadRequest', description: 'Malformed, or not possible in the present state' },
  401: { name: 'Unauthorized', description: 'No valid credential of the kind that is needed' },
  403: { name: 'Forbidden', description: 'Not available on the plan of the workspace' },
  404: { name: 'NotFound', description: 'Not found' },
  413: { name: 'ContentTooLarge', description: 'The body is too large' },
  415: { name: 'UnsupportedMediaType', description: 'The body is not JSON' },
  422: {
    name: 'UnprocessableContent',
    description: 'A value is missing, of the wrong type or out of range',
  },
  429: {
    name: 'TooManyRequests',
    description: 'Too many failed sign-ins or registrations; see Retry-After',
  },
  500: { name: 'InternalServerError', description: 'A bug of the service' },
  503: {
    name: 'ServiceUnavailable',
    description: 'The store does not answer, or the service is overloaded; see Retry-After',
  },
} as const;
type ErrorStatus = keyof typeof ERROR_ANSWERS;

/** The error answers of a route besides those that follow from what it takes and demands (see openapi.ts). */
export function errors<const Status extends ErrorStatus>(
  ...statuses: Status[]
): Record<Status, typeof ErrorBody> {
  const bodies = statuses.map((status) => [
    status,
    { ...ErrorBody, 'x-response-description': ERROR_ANSWERS[status].description },
  ]);
  return Object.fromEntries(bodies) as Record<Status, typeof ErrorBody>;
}
