/** What the data plane can be asked to do, as plain values: a command may be sent to another thread. */

import type { CreateStep, EndRun, StartRun, UpdateStep } from '../domain/decide.js';
import type { IdempotentRequest } from '../domain/idempotency.js';

export type Command =
  | { readonly kind: 'start-run'; readonly caller: Caller; readonly order: StartRun }
  | { readonly kind: 'end-run'; readonly caller: Caller; readonly order: EndRun }
  | { readonly kind: 'create-step'; readonly caller: Caller; readonly order: CreateStep }
  | { readonly kind: 'update-step'; readonly caller: Caller; readonly order: UpdateStep };

/** Who asks: commands are only taken from machines. */
export interface Caller {
  readonly workspaceId: string;
  readonly apiKeyId: string;
  /** How the request is known again when it is sent again; without it every request is a new one. */
  readonly idempotency?: IdempotentRequest | undefined;
}
