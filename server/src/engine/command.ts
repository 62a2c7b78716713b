/** The commands of the data plane, as plain data: a command may be sent to another thread. */

import type { CreateStep, EndRun, Heartbeat, ReportStep, StartRun, StopRun } from '../domain/decide.js';
import type { IdempotentRequest } from '../domain/idempotency.js';

export type Command =
  | { readonly kind: 'start-run'; readonly caller: Caller; readonly input: StartRun }
  | { readonly kind: 'end-run'; readonly caller: Caller; readonly input: EndRun }
  | { readonly kind: 'create-step'; readonly caller: Caller; readonly input: CreateStep }
  | { readonly kind: 'report-step'; readonly caller: Caller; readonly input: ReportStep }
  | { readonly kind: 'heartbeat'; readonly caller: Caller; readonly input: Heartbeat }
  | { readonly kind: 'stop-run'; readonly caller: Caller; readonly input: StopRun }
  /** Ends runs whose leases have ended. */
  | { readonly kind: 'expire-runs'; readonly caller: Caller; readonly input: null };

/** Whom a command is from. */
export interface Caller {
  readonly workspaceId: string;
  /** null for an account, and for the service itself. */
  readonly apiKeyId: string | null;
  /** The end user whose runs an API key is limited to; absent or null: all. */
  readonly userId?: string | null | undefined;
  /** Set when the request has an Idempotency-Key. */
  readonly idempotency?: IdempotentRequest | undefined;
}

export interface MachineCaller extends Caller {
  readonly apiKeyId: string;
}
