export type * from './api-types.js';
export {
  ApiError,
  type ApiErrorFields,
  BadRequestError,
  BodyTooLargeError,
  ConfigurationError,
  ConnectionFailedError,
  DeniedError,
  denialIn,
  ForbiddenError,
  GuardedRunsError,
  GuardUnavailableError,
  InvalidResponseError,
  isDenied,
  NotFoundError,
  RequestTimedOutError,
  RunDeniedError,
  ServerError,
  ServiceUnavailableError,
  StepDeniedError,
  TooManyRequestsError,
  UnauthenticatedError,
  UnguardedCallError,
  UnpricedModelError,
  UnprocessableError,
} from './errors.js';
export * from './former-names.js';
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
  type ResumeOptions,
  type RunLimitOptions,
  type StartOptions,
} from './guarded-runs.js';
export type { OnUnavailable } from './internal/availability.js';
export type { Hold, HoldOptions } from './internal/hold.js';
export type { LogLevel } from './internal/log.js';
export type { Payload, RecordPayloads } from './internal/payloads.js';
export type { RequestOptions } from './internal/transport.js';
export type { OnUnpriced } from './internal/unpriced-models.js';
export type { OpenStep, StepResult } from './open-step.js';
export type { OutputReader, UsageReader } from './perform-step.js';
export type { OnReportError, ReportError } from './report-error.js';
export { type HoldBound, type ModelRequest, PART_TOKENS } from './usage/estimate-tokens.js';
export type { TokenUsage } from './usage/token-usage.js';
