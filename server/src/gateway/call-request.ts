/** The request of a client: read once, while it arrives, and forwarded as it came except for the members that are added. */

import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isName, MAX_NAME_LENGTH } from '../domain/name.js';
import type { FairLimiter } from '../runtime/fair-limiter.js';
import { GatewayError, invalidRequest, tooLarge } from './gateway-error.js';
import { type JsonMember, JsonScanError, JsonScanner } from './json-scanner.js';
import { PromptMeter, type PromptSize } from './prompt-size.js';
import type { BilledEndpoint } from './provider.js';

export interface CallRequest {
  readonly model: string;
  readonly isStream: boolean;
  /** Whom the request names, or null. */
  readonly userId: string | null;
  readonly prompt: PromptSize;
  /** Of each choice; null: the request does not limit them. */
  readonly maxCompletionTokens: number | null;
  readonly choices: number;
  /** Whether the client asked for the usage of its stream. */
  readonly asksForUsage: boolean;
  /** Equal for equal requests. */
  readonly bodyHash: string;
  readonly body: Buffer;
  /** The body with what is to be added. */
  withAdded(added: AddedMembers): Buffer;
}

export interface AddedMembers {
  readonly maxTokens: { readonly name: string; readonly value: number } | null;
  readonly asksForUsage: boolean;
}

export interface ReadRequestOptions {
  readonly limitBytes: number;
  /** Room in memory, by bytes and workspace. */
  readonly room: FairLimiter;
  readonly owner: string;
}

/** Smaller bodies take no room. */
const SMALL_BYTES = 64 * 1024;

const USER_PATHS = ['safety_identifier', 'user', 'metadata.user_id'];
const STREAM_OPTIONS = 'stream_options';

/** The whole body, and the function that gives back its room. */
export async function readBody(
  request: IncomingMessage,
  { limitBytes, room, owner }: ReadRequestOptions,
  onChunk: (chunk: Buffer) => void = () => {},
): Promise<{ body: Buffer; release: () => void }> {
  requireUncompressed(request);
  const declared = Number(request.headers['content-length'] ?? limitBytes);
  if (request.headers['content-length'] !== undefined && declared > limitBytes) throw tooLarge(limitBytes);
  const chunks: Buffer[] = [];
  let bytes = 0;
  let release: (() => void) | null = null;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > limitBytes) throw tooLarge(limitBytes);
      if (bytes > SMALL_BYTES && release === null) release = await room.enter(owner, declared);
      onChunk(chunk);
      chunks.push(chunk);
    }
    return {
      body: chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks),
      release: release ?? (() => {}),
    };
  } catch (error) {
    release?.();
    throw error;
  }
}

/** Reads the request of a call that is billed. */
export async function readCallRequest(
  request: IncomingMessage,
  endpoint: BilledEndpoint,
  options: ReadRequestOptions,
): Promise<{ call: CallRequest; release: () => void }> {
  const meter = new PromptMeter();
  const numbers = [...endpoint.maxTokens, ...(endpoint.choices === null ? [] : [endpoint.choices])];
  const scanner = new JsonScanner({
    captures: ['model', 'stream', STREAM_OPTIONS, ...numbers, ...USER_PATHS],
    onString: (key, bytes, head) => meter.add(key, bytes, head),
  });
  const { body, release } = await readBody(request, options, (chunk) => scan(() => scanner.push(chunk)));
  try {
    scan(() => scanner.end());
    return { call: toCallRequest(body, { scanner, meter, endpoint }), release };
  } catch (error) {
    release();
    throw error;
  }
}

function scan(step: () => void): void {
  try {
    step();
  } catch (error) {
    if (error instanceof JsonScanError) throw invalidRequest(`The request is not valid: ${error.message}`);
    throw error;
  }
}

interface Scanned {
  readonly scanner: JsonScanner;
  readonly meter: PromptMeter;
  readonly endpoint: BilledEndpoint;
}

function toCallRequest(body: Buffer, { scanner, meter, endpoint }: Scanned): CallRequest {
  const { members, texts, objectStart } = scanner;
  if (objectStart < 0) throw invalidRequest('The request must be a JSON object');
  requireUnique(members);
  const memberOf = (path: string): unknown => parsed(texts.get(path));
  const model = memberOf('model');
  if (typeof model !== 'string' || !isName(model))
    throw invalidRequest(`The request must name a model, with at most ${MAX_NAME_LENGTH} characters`);
  const streamOptions = fieldsIn(memberOf(STREAM_OPTIONS));
  return {
    model,
    isStream: memberOf('stream') === true,
    userId:
      USER_PATHS.map(memberOf).find((value): value is string => typeof value === 'string' && value !== '') ??
      null,
    prompt: meter.sizeOf(body.length),
    maxCompletionTokens: maxTokensOf(endpoint, memberOf),
    choices: choicesOf(endpoint, memberOf),
    asksForUsage: streamOptions['include_usage'] === true,
    bodyHash: hash('sha256', body, 'base64url'),
    body,
    withAdded: ({ maxTokens, asksForUsage }) => {
      const edits: Edit[] = [];
      // In place of one that is null, which providers read as missing.
      if (maxTokens !== null) edits.push(memberEdit(maxTokens.name, String(maxTokens.value), scanner));
      if (asksForUsage) {
        const options = JSON.stringify({ ...streamOptions, include_usage: true });
        edits.push(memberEdit(STREAM_OPTIONS, options, scanner));
      }
      return edited(body, edits);
    },
  };
}

/**
 * What the provider does with two members of one name is not known: it might run another model than the one that was priced.
 */
function requireUnique(members: readonly JsonMember[]): void {
  const names = new Set<string>();
  for (const { name } of members) {
    if (names.has(name)) throw invalidRequest(`The request has the member ${JSON.stringify(name)} twice`);
    names.add(name);
  }
}

function maxTokensOf(endpoint: BilledEndpoint, memberOf: (path: string) => unknown): number | null {
  if (endpoint.addedMaxTokens === null) return 0;
  const limits = endpoint.maxTokens
    .map(memberOf)
    .filter((value) => typeof value === 'number' && value >= 0) as number[];
  if (limits.length === 0) return null;
  return Math.ceil(Math.max(...limits));
}

function choicesOf(endpoint: BilledEndpoint, memberOf: (path: string) => unknown): number {
  const given = endpoint.choices === null ? 1 : memberOf(endpoint.choices);
  return typeof given === 'number' && given > 1 ? Math.ceil(given) : 1;
}

/** Text to put in place of a part of the body; offsets in bytes. */
interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Replaces the value of a member, or adds the member as the first one. */
function memberEdit(name: string, value: string, { members, objectStart }: JsonScanner): Edit {
  const present = members.find((member) => member.name === name);
  if (present !== undefined) return { from: present.valueStart, to: present.valueEnd, text: value };
  const at = objectStart + 1;
  return { from: at, to: at, text: `"${name}":${value}${members.length === 0 ? '' : ','}` };
}

function edited(body: Buffer, edits: readonly Edit[]): Buffer {
  if (edits.length === 0) return body;
  const pieces: Buffer[] = [];
  let at = 0;
  for (const { from, to, text } of edits.toSorted((left, right) => left.from - right.from)) {
    pieces.push(body.subarray(at, from), Buffer.from(text));
    at = to;
  }
  return Buffer.concat([...pieces, body.subarray(at)]);
}

/** Undefined for a value that was not sent, or was too long to keep. */
function parsed(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw invalidRequest('The request is not valid JSON');
  }
}

function fieldsIn(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

function requireUncompressed({ headers }: IncomingMessage): void {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw new GatewayError(415, 'unsupported_media_type', 'Compressed requests are not accepted');
}
