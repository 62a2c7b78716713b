/** The commands of the data plane, as plain data: a command may be sent to another thread. */

import type { CreateStep, EndRun, ReportStep, StartRun } from '../domain/decide.js';
import type { IdempotentRequest } from '../domain/idempotency.js';

export type Command =
  | { readonly kind: 'start-run'; readonly caller: Caller; readonly input: StartRun }
  | { readonly kind: 'end-run'; readonly caller: Caller; readonly input: EndRun }
  | { readonly kind: 'create-step'; readonly caller: Caller; readonly input: CreateStep }
  | { readonly kind: 'report-step'; readonly caller: Caller; readonly input: ReportStep };

/** The API key that a command was sent with. */
export interface Caller {
  readonly workspaceId: string;
  readonly apiKeyId: string;
  /** Set when the request has an Idempotency-Key. */
  readonly idempotency?: IdempotentRequest | undefined;
}
