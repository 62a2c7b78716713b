/** The request of a client: read once, while it arrives, and forwarded as it came except for the members that are added. */

import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isName, MAX_NAME_LENGTH } from '../domain/name.js';
import type { FairLimiter } from '../runtime/fair-limiter.js';
import { GatewayError, invalidRequest, tooLarge } from './gateway-error.js';
import { type JsonMember, JsonScanError, JsonScanner } from './json-scanner.js';
import { PromptMeter, type PromptSize } from './prompt-size.js';
import { type BilledEndpoint, fieldsOf } from './provider.js';

/** The bytes of a request, in the pieces in which they arrived: joining 32 MiB would delay other requests. */
export type Pieces = readonly Buffer[];

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
  /** Empty once it was taken. */
  readonly body: Pieces;
  /** The body with what is to be added. The request does not keep it: its answer may take minutes. */
  take(added: AddedMembers): Buffer[];
}

export interface AddedMembers {
  readonly maxTokens: { readonly name: string; readonly value: number } | null;
  readonly asksForUsage: boolean;
}

export interface ReadRequestOptions {
  readonly limitBytes: number;
  /** Room in memory, by bytes and workspace. */
  readonly room: FairLimiter;
  /** One piece is read at a time, the workspaces in turn: reading is the work of a request that its sender can make expensive. */
  readonly turns: FairLimiter;
  readonly owner: string;
}

/** Smaller bodies take no room. */
const SMALL_BYTES = 64 * 1024;
/** Room is taken as bytes arrive, so that a client cannot take it with what it declares. */
const ROOM_BYTES = 1024 * 1024;

/** No model takes or makes more. */
const MAX_TOKENS = 1_000_000_000;
const MAX_CHOICES = 1_000;

const USER_PATHS = ['safety_identifier', 'user', 'metadata.user_id'];
const STREAM_OPTIONS = 'stream_options';

export interface ReadBody {
  readonly body: Buffer[];
  /** Gives back the room. */
  release(): void;
}

export async function readBody(
  request: IncomingMessage,
  { limitBytes, room, turns, owner }: ReadRequestOptions,
  onPiece: (piece: Buffer) => void = () => {},
): Promise<ReadBody> {
  requireUncompressed(request);
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes);
  const body: Buffer[] = [];
  const taken: (() => void)[] = [];
  const release = () => {
    for (const leave of taken.splice(0)) leave();
  };
  let bytes = 0;
  try {
    for await (const piece of request as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > limitBytes) throw tooLarge(limitBytes);
      while (bytes > SMALL_BYTES && taken.length * ROOM_BYTES < bytes)
        taken.push(await room.enter(owner, ROOM_BYTES));
      const leave = await turns.enter(owner);
      try {
        onPiece(piece);
      } finally {
        // Others are served before the next piece.
        setImmediate(leave);
      }
      body.push(piece);
    }
    return { body, release };
  } catch (error) {
    release();
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
  const hash = createHash('sha256');
  const scanner = new JsonScanner({
    captures: ['model', 'stream', STREAM_OPTIONS, ...numbersOf(endpoint), ...USER_PATHS],
    onString: (keys, bytes, head) => meter.add(keys, bytes, head),
  });
  const { body, release } = await readBody(request, options, (piece) => {
    hash.update(piece);
    scan(() => scanner.push(piece));
  });
  try {
    scan(() => scanner.end());
    return {
      call: toCallRequest(body, { scanner, meter, endpoint, hash: hash.digest('base64url') }),
      release,
    };
  } catch (error) {
    release();
    throw error;
  }
}

function numbersOf({ maxTokens, choices }: BilledEndpoint): string[] {
  return choices === null ? [...maxTokens] : [...maxTokens, choices];
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
  readonly hash: string;
}

function toCallRequest(body: Buffer[], { scanner, meter, endpoint, hash }: Scanned): CallRequest {
  const { members, texts, objectStart } = scanner;
  if (objectStart < 0) throw invalidRequest('The request must be a JSON object');
  const known = ['model', 'stream', STREAM_OPTIONS, ...numbersOf(endpoint)];
  requireUnambiguous(members, known);
  const memberOf = (path: string): unknown => parsed(texts.get(path));
  const model = memberOf('model');
  if (typeof model !== 'string' || !isName(model))
    throw invalidRequest(`The request must name a model, with at most ${MAX_NAME_LENGTH} characters`);
  const streamOptions = fieldsOf(memberOf(STREAM_OPTIONS));
  return {
    model,
    isStream: booleanIn(memberOf('stream'), 'stream'),
    userId: USER_PATHS.map(memberOf).find(isText) ?? null,
    prompt: meter.sizeOf(lengthOf(body)),
    maxCompletionTokens: maxTokensOf(endpoint, memberOf),
    choices:
      endpoint.choices === null
        ? 1
        : Math.max(1, countIn(memberOf(endpoint.choices), endpoint.choices, MAX_CHOICES) ?? 1),
    asksForUsage: streamOptions['include_usage'] === true,
    bodyHash: hash,
    body,
    take: ({ maxTokens, asksForUsage }) => {
      const edits: Edit[] = [];
      // In place of one that is null, which providers read as missing.
      if (maxTokens !== null) edits.push(memberEdit(maxTokens.name, String(maxTokens.value), scanner));
      if (asksForUsage) {
        const options = JSON.stringify({ ...streamOptions, include_usage: true });
        edits.push(memberEdit(STREAM_OPTIONS, options, scanner));
      }
      return edited(body.splice(0), edits);
    },
  };
}

export function lengthOf(pieces: Pieces): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

/**
 * What the provider does with two members of one name is not known: it might run another model than the one that was priced.
 * Some servers do not tell upper case from lower case.
 */
function requireUnambiguous(members: readonly JsonMember[], known: readonly string[]): void {
  const names = new Set<string>();
  for (const { name } of members) {
    const folded = name.toUpperCase().toLowerCase();
    if (names.has(folded)) throw invalidRequest(`The request has the member ${JSON.stringify(name)} twice`);
    if (folded !== name && known.includes(folded))
      throw invalidRequest(`The request has the member ${JSON.stringify(name)}: write ${folded}`);
    names.add(folded);
  }
}

function maxTokensOf(endpoint: BilledEndpoint, memberOf: (path: string) => unknown): number | null {
  if (endpoint.addedMaxTokens === null) return 0;
  const limits = endpoint.maxTokens.flatMap((name) => countIn(memberOf(name), name, MAX_TOKENS) ?? []);
  return limits.length === 0 ? null : Math.max(...limits);
}

/** Servers may read other types as numbers, or a negative one as no limit: they are refused. */
function countIn(value: unknown, name: string, most: number): number | null {
  if (value === undefined || value === null) return null;
  if (Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= most)
    return value as number;
  throw invalidRequest(`${name} must be a whole number from 0 to ${most}`);
}

function booleanIn(value: unknown, name: string): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value === 'boolean') return value;
  throw invalidRequest(`${name} must be true or false`);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
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

function edited(body: Pieces, edits: readonly Edit[]): Buffer[] {
  const pieces: Buffer[] = [];
  let at = 0;
  for (const { from, to, text } of edits.toSorted((left, right) => left.from - right.from)) {
    pieces.push(...part(body, at, from), Buffer.from(text));
    at = to;
  }
  return [...pieces, ...part(body, at, Number.POSITIVE_INFINITY)];
}

/** The bytes from one offset to another, without copying them. */
function part(body: Pieces, from: number, to: number): Buffer[] {
  const found: Buffer[] = [];
  let offset = 0;
  for (const piece of body) {
    const [start, end] = [Math.max(from - offset, 0), Math.min(to - offset, piece.length)];
    if (start < end) found.push(piece.subarray(start, end));
    offset += piece.length;
  }
  return found;
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

function requireUncompressed({ headers }: IncomingMessage): void {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw new GatewayError(415, 'unsupported_media_type', 'Compressed requests are not accepted');
}
