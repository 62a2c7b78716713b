export type * from './api-types.js';
export {
  ApiError,
  type ApiErrorFields,
  BadRequest,
  BodyTooLarge,
  ConfigurationError,
  ConnectionFailed,
  Denied,
  Forbidden,
  GuardedRunsError,
  GuardUnavailable,
  NotFound,
  RequestTimedOut,
  RunDenied,
  ServerError,
  ServiceUnavailable,
  StepDenied,
  TooManyRequests,
  Unauthenticated,
  UnguardedCall,
  Unprocessable,
} from './errors.js';
export {
  type CostReader,
  GuardedRun,
  type ModelCall,
  type OpenStepOptions,
  type StepOptions,
  type ToolCall,
} from './guarded-run.js';
export {
  GuardedRuns,
  type GuardedRunsOptions,
  type RunLimitOptions,
  type StartOptions,
} from './guarded-runs.js';
export type { OnUnavailable } from './internal/availability.js';
export type { Hold, HoldOptions } from './internal/hold.js';
export type { Payload, RecordPayloads } from './internal/payloads.js';
export type { RequestOptions } from './internal/transport.js';
export type { OpenStep, StepResult } from './open-step.js';
export type { OutputReader, UsageReader } from './perform-step.js';
export { type HoldBound, type ModelRequest, PART_TOKENS } from './usage/estimate-tokens.js';
export type { TokenUsage } from './usage/token-usage.js';
