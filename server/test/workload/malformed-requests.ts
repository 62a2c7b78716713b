/** Requests that are refused before anything is decided, with the refusal; none of them may change anything. */

export interface MalformedRequest {
  readonly method: string;
  /** RUN stands for the id of a run that exists, STEP for one of its steps. */
  readonly path: string;
  /** Text is sent unchanged. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly credential: 'key' | 'token' | 'none' | 'wrong key' | 'wrong token';
  readonly status: number;
  readonly detail: string;
}

const START = { method: 'POST', path: '/v1/runs/', credential: 'key' } as const;
const STEP = { method: 'POST', path: '/v1/runs/RUN/steps', credential: 'key' } as const;
const UPDATE = { method: 'PATCH', path: '/v1/runs/RUN/steps/STEP', credential: 'key' } as const;
const SETTINGS = { method: 'PATCH', path: '/v1/workspace/', credential: 'token' } as const;
const PRICE = { method: 'PUT', path: '/v1/model-pricing/gpt-4o', credential: 'token' } as const;
const REGISTER = { method: 'POST', path: '/v1/auth/register', credential: 'none' } as const;

const GOOD_START = { user_id: 'ada' };
const GOOD_STEP = { type: 'INPUT', sequence: 1 };
const LONG = 'x'.repeat(256);

const unprocessable = (detail: string) => ({ status: 422, detail });

export const MALFORMED_REQUESTS: readonly MalformedRequest[] = [
  { ...START, body: '{"user_id":', status: 400, detail: 'The body is not valid JSON' },
  {
    ...START,
    body: '{"user_id":"a\\u0000"}',
    ...unprocessable('body/user_id must not contain a NUL character'),
  },
  { ...START, body: '{"user_id":"\\ud800"}', ...unprocessable('body/user_id must be well-formed Unicode') },
  {
    ...START,
    body: '{"user_id":"ada","metadata":{"n":1e999}}',
    ...unprocessable('body/metadata/n must be a number in the range of a double'),
  },
  { ...START, ...unprocessable('body must be object') },
  { ...START, body: {}, ...unprocessable("body must have required property 'user_id'") },
  { ...START, body: { user_id: '' }, ...unprocessable('body/user_id must NOT have fewer than 1 characters') },
  {
    ...START,
    body: { user_id: LONG },
    ...unprocessable('body/user_id must NOT have more than 255 characters'),
  },
  { ...START, body: { user_id: 5 }, ...unprocessable('body/user_id must be string') },
  { ...START, body: { ...GOOD_START, metadata: [] }, ...unprocessable('body/metadata must be object,null') },
  {
    ...START,
    body: GOOD_START,
    headers: { 'idempotency-key': LONG },
    ...unprocessable('headers/idempotency-key must NOT have more than 255 characters'),
  },
  {
    ...START,
    body: 'user_id=ada',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    status: 415,
    detail: 'The content type must be application/json',
  },
  {
    ...START,
    body: GOOD_START,
    headers: { 'content-encoding': 'gzip' },
    status: 415,
    detail: 'Compressed bodies are not accepted',
  },
  {
    ...START,
    body: GOOD_START,
    credential: 'none',
    status: 401,
    detail: 'Send an API key as "Authorization: Bearer …"',
  },
  { ...START, body: GOOD_START, credential: 'wrong key', status: 401, detail: 'No active API key' },
  { ...START, body: GOOD_START, credential: 'token', status: 401, detail: 'No active API key' },
  {
    ...START,
    method: 'PUT',
    body: GOOD_START,
    status: 405,
    detail: 'Method PUT is not allowed on this path',
  },
  { ...START, path: '/v2/runs/', body: GOOD_START, status: 404, detail: 'Not found' },
  {
    ...START,
    path: '/v1/runs/RUN/end',
    body: { status: 'RUNNING' },
    ...unprocessable('body/status must be one of COMPLETED, FAILED'),
  },
  {
    ...START,
    path: '/v1/runs/not-a-run/end',
    body: { status: 'COMPLETED' },
    status: 404,
    detail: 'Run not found',
  },
  {
    ...STEP,
    body: { ...GOOD_STEP, type: 'THOUGHT' },
    ...unprocessable('body/type must be one of INPUT, MODEL_CALL, TOOL_CALL, OUTPUT, REASONING, SYSTEM'),
  },
  { ...STEP, body: { ...GOOD_STEP, sequence: 0 }, ...unprocessable('body/sequence must be >= 1') },
  { ...STEP, body: { ...GOOD_STEP, sequence: 1.5 }, ...unprocessable('body/sequence must be integer') },
  {
    ...STEP,
    body: { ...GOOD_STEP, sequence: 2 ** 31 },
    ...unprocessable('body/sequence must be <= 2147483647'),
  },
  { ...UPDATE, body: {}, ...unprocessable("body must have required property 'status'") },
  {
    ...UPDATE,
    body: { status: 'COMPLETED', prompt_tokens: -1 },
    ...unprocessable('body/prompt_tokens must be >= 0'),
  },
  {
    ...UPDATE,
    body: { status: 'COMPLETED', completion_tokens: 2 ** 53 },
    ...unprocessable('body/completion_tokens must be <= 9007199254740991'),
  },
  {
    ...UPDATE,
    body: { status: 'COMPLETED', duration_ms: '5' },
    ...unprocessable('body/duration_ms must be integer,null'),
  },
  {
    ...UPDATE,
    body: { status: 'COMPLETED', cost_usd: 1e-13 },
    ...unprocessable('body/cost_usd must have at most 12 decimal places'),
  },
  {
    ...UPDATE,
    body: { status: 'FAILED', error: 'x'.repeat(2_001) },
    ...unprocessable('body/error must NOT have more than 2000 characters'),
  },
  {
    ...UPDATE,
    body: { status: 'COMPLETED', prompt_tokens: 1, cache_read_tokens: 2 },
    ...unprocessable('cache_read_tokens and cache_write_tokens must not exceed prompt_tokens together'),
  },
  {
    ...UPDATE,
    body: { status: 'COMPLETED', output_data: [] },
    ...unprocessable('body/output_data must be object,null'),
  },
  {
    ...UPDATE,
    path: '/v1/runs/RUN/steps/not-a-step',
    body: { status: 'COMPLETED' },
    status: 404,
    detail: 'Step not found',
  },
  { ...SETTINGS, body: { daily_budget_usd: -1 }, ...unprocessable('body/daily_budget_usd must be >= 0') },
  {
    ...SETTINGS,
    body: { daily_budget_usd: 1e-13 },
    ...unprocessable('body/daily_budget_usd must have at most 12 decimal places'),
  },
  {
    ...SETTINGS,
    body: { name: 'New', user_daily_budget_usd: 1e7 },
    ...unprocessable('body/user_daily_budget_usd must be <= 9223372'),
  },
  {
    ...SETTINGS,
    body: { max_concurrent_runs: 0 },
    ...unprocessable('body/max_concurrent_runs must be >= 1'),
  },
  {
    ...START,
    body: { ...GOOD_START, lease_seconds: 9 },
    ...unprocessable('body/lease_seconds must be >= 10'),
  },
  {
    ...START,
    body: { ...GOOD_START, lease_seconds: '60' },
    ...unprocessable('body/lease_seconds must be integer,null'),
  },
  {
    ...SETTINGS,
    body: { run_lease_seconds: 604_801 },
    ...unprocessable('body/run_lease_seconds must be <= 604800'),
  },
  {
    ...START,
    body: { ...GOOD_START, limits: { max_repeats: 21 } },
    ...unprocessable('body/limits/max_repeats must be <= 20'),
  },
  {
    ...START,
    body: { ...GOOD_START, limits: { max_cost_usd: 1e-13 } },
    ...unprocessable('body/limits/max_cost_usd must have at most 12 decimal places'),
  },
  {
    ...SETTINGS,
    body: { run_limits: { max_steps: 0 } },
    ...unprocessable('body/run_limits/max_steps must be >= 1'),
  },
  {
    ...SETTINGS,
    body: { run_limits: { repeat_exempt_tools: [''] } },
    ...unprocessable('body/run_limits/repeat_exempt_tools/0 must NOT have fewer than 1 characters'),
  },
  {
    method: 'POST',
    path: '/v1/runs/not-a-run/stop',
    credential: 'token',
    status: 404,
    detail: 'Run not found',
  },
  {
    ...SETTINGS,
    body: { deny_unpriced_models: null },
    ...unprocessable('body/deny_unpriced_models must be boolean'),
  },
  { ...SETTINGS, body: { name: '' }, ...unprocessable('body/name must NOT have fewer than 1 characters') },
  {
    ...SETTINGS,
    credential: 'wrong token',
    body: { name: 'New' },
    status: 401,
    detail: 'The token is invalid or has expired',
  },
  {
    ...SETTINGS,
    method: 'POST',
    path: '/v1/workspace/kill-switch',
    body: { active: 'yes' },
    ...unprocessable('body/active must be boolean'),
  },
  {
    ...PRICE,
    body: { input_cost_per_token: 1e-19, output_cost_per_token: 1 },
    ...unprocessable('body/input_cost_per_token must have at most 18 decimal places'),
  },
  {
    ...PRICE,
    body: { input_cost_per_token: 0, output_cost_per_token: 1_000_001 },
    ...unprocessable('body/output_cost_per_token must be <= 1000000'),
  },
  {
    ...PRICE,
    body: { input_cost_per_token: 0, output_cost_per_token: 0, cache_read_cost_per_token: 1e-19 },
    ...unprocessable('body/cache_read_cost_per_token must have at most 18 decimal places'),
  },
  {
    ...PRICE,
    body: { input_cost_per_token: 0 },
    ...unprocessable("body must have required property 'output_cost_per_token'"),
  },
  {
    method: 'POST',
    path: `/v1/users/${LONG}/block`,
    credential: 'token',
    ...unprocessable('params/user_id must have 1 to 255 characters'),
  },
  {
    method: 'POST',
    path: '/v1/users/ada/block',
    credential: 'token',
    body: { note: '' },
    ...unprocessable('body/note must NOT have fewer than 1 characters'),
  },
  {
    method: 'GET',
    path: '/v1/users/?sort=name',
    credential: 'token',
    ...unprocessable('querystring/sort must be one of spend'),
  },
  {
    method: 'GET',
    path: `/v1/users/${LONG}`,
    credential: 'token',
    ...unprocessable('params/user_id must have 1 to 255 characters'),
  },
  {
    method: 'GET',
    path: '/v1/models/gpt?days=367',
    credential: 'token',
    ...unprocessable('querystring/days must be <= 366'),
  },
  {
    method: 'PUT',
    path: '/v1/billing/plan',
    credential: 'token',
    body: { plan: 'gold' },
    ...unprocessable('body/plan must be one of basic, pro, scale, enterprise'),
  },
  {
    method: 'PUT',
    path: '/v1/billing/plan',
    credential: 'key',
    body: { plan: 'enterprise' },
    status: 401,
    detail: 'This endpoint needs a dashboard token, not an API key',
  },
  {
    method: 'POST',
    path: '/v1/api-keys/',
    credential: 'token',
    body: { label: '' },
    ...unprocessable('body/label must NOT have fewer than 1 characters'),
  },
  {
    method: 'DELETE',
    path: '/v1/api-keys/not-a-key',
    credential: 'token',
    status: 404,
    detail: 'API key not found',
  },
  {
    ...REGISTER,
    body: { email: 'nobody', password: 'correct horse' },
    ...unprocessable('body/email must match pattern "^[^\\s@\\p{C}]+@[^\\s@\\p{C}]+$"'),
  },
  {
    ...REGISTER,
    body: { email: 'new@example.com', password: 'short' },
    ...unprocessable('body/password must NOT have fewer than 8 characters'),
  },
  {
    method: 'POST',
    path: '/v1/auth/change-password',
    credential: 'token',
    body: { current_password: 'x', new_password: 'short' },
    ...unprocessable('body/new_password must NOT have fewer than 8 characters'),
  },
  {
    method: 'POST',
    path: '/v1/auth/login',
    credential: 'none',
    body: { email: 'ada@example.com' },
    ...unprocessable("body must have required property 'password'"),
  },
  {
    method: 'GET',
    path: '/v1/runs/?per_page=101',
    credential: 'token',
    ...unprocessable('querystring/per_page must be <= 100'),
  },
  {
    method: 'GET',
    path: '/v1/usage/daily?days=0',
    credential: 'token',
    ...unprocessable('querystring/days must be >= 1'),
  },
];
