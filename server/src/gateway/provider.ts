/** What differs between providers: paths, credentials, where usage is stated, and the shape of errors. */

import type { IncomingHttpHeaders } from 'node:http';

export interface Provider {
  readonly name: 'openai' | 'anthropic';
  readonly endpoints: readonly Endpoint[];
  /** What the client sent where the provider expects its key. */
  credentialIn(headers: IncomingHttpHeaders): string | null;
  /** The headers that carry a key to the provider; those of the client are left out if the service has its own. */
  readonly credentialHeaders: readonly string[];
  toCredentialHeader(apiKey: string): readonly [name: string, value: string];
  /** The body of an error as the provider's SDKs read it. `detail` is added to it. */
  toErrorBody(error: { status: number; code: string; message: string }): Record<string, unknown>;
}

export interface Endpoint {
  readonly method: 'GET' | 'POST';
  /** Appended to the URL of the provider. */
  readonly path: string;
  /** null: the provider does not bill it, so it is forwarded without a step. */
  readonly billed: BilledEndpoint | null;
}

export interface BilledEndpoint {
  /** Members of the request that bound the tokens of its completion; the largest applies. */
  readonly maxTokens: readonly string[];
  /** The member to add where there is none of them; null: the answer has no completion. */
  readonly addedMaxTokens: string | null;
  /** The member that multiplies the completion, if there is one. */
  readonly choices: string | null;
  /** Whether a stream states its usage only if it is asked to. */
  readonly mustAskForUsage: boolean;
  /** Paths of usage, in a whole answer and in the events of a stream. Later ones replace the fields of earlier ones. */
  readonly usagePaths: readonly string[];
  /** Types of the events that end a stream. */
  readonly lastEvents: readonly string[];
  /** The usage of which only the prompt is final, because the completion goes on. */
  readonly firstUsagePath: string | null;
  toUsage(stated: StatedUsage): TokenUsage;
}

/** The fields of `usage` as the provider names them. */
export type StatedUsage = Readonly<Record<string, unknown>>;

/** null: not stated. */
export interface TokenUsage {
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  readonly cacheReadTokens: number | null;
  readonly cacheWriteTokens: number | null;
  readonly reasoningTokens: number | null;
}

/** A count as a provider states it; anything else is null. */
export function countIn(value: unknown): number | null {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : null;
}

export function fieldsOf(value: unknown): StatedUsage {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as StatedUsage) : {};
}

/** `Bearer` and a key. */
export function bearerIn(headers: IncomingHttpHeaders): string | null {
  return /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? null;
}
