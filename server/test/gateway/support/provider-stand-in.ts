/**
 * A local provider with the APIs of OpenAI and Anthropic. Equal requests get equal answers, byte for byte. It bills what it
 * generates, like a provider: also of answers that the client does not read to their end.
 */

import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** How the provider behaves, sent by the client in this header. */
export const BEHAVIOUR_HEADER = 'x-stand-in';

/** Tells bills apart. */
export const CALL_ID_HEADER = 'x-call-id';

export interface Behaviour {
  /** An error instead of an answer. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Resets the connection after as many events, or bytes of a whole answer. */
  readonly cutAfter?: number;
  /** Resets the connection before anything is answered. */
  readonly resets?: boolean;
  /** Waits before each event. */
  readonly pauseMs?: number;
  /** Sends the answer in pieces of as many bytes. */
  readonly pieceBytes?: number;
  /** Of the completion. */
  readonly tokens?: number;
  /** After as many events, an error instead of the rest. */
  readonly failsAfter?: number;
  /** Never answers. */
  readonly hangs?: boolean;
  /** Bytes of text in each event. */
  readonly padding?: number;
}

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Bill {
  /** As the client named the call. */
  readonly callId: string | null;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

export interface ProviderStandIn {
  readonly url: string;
  readonly requests: ReceivedRequest[];
  readonly bills: Bill[];
  stop(): Promise<void>;
}

export interface ModelRequest {
  readonly model: string;
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean };
  readonly tools?: readonly unknown[];
  readonly response_format?: { readonly type: string };
  readonly text?: { readonly format?: { readonly type: string } };
}

export const PROMPT_TOKENS = 11;
const WORDS = ['Hello', ', ', 'wörld', ' — ', 'goodbye'];

export async function startProvider({ keepsRequests = true } = {}): Promise<ProviderStandIn> {
  const requests: ReceivedRequest[] = [];
  const bills: Bill[] = [];
  const server = createServer((request, response) => {
    void answer(request, response, { requests: keepsRequests ? requests : [], bills }).catch(() =>
      response.destroy(),
    );
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 4_096, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    bills,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { requests, bills }: { requests: ReceivedRequest[]; bills: Bill[] },
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const { method = '', url: path = '', headers } = request;
  requests.push({ method, path, headers, body });
  const behaviour = behaviourIn(headers);
  const callId = [headers[CALL_ID_HEADER] ?? null].flat()[0] ?? null;
  const api = APIS[path.split('?')[0] ?? ''];
  if (behaviour.hangs === true) return;
  if (behaviour.resets === true) {
    request.socket.destroy();
    return;
  }
  if (api === undefined || behaviour.status !== undefined) {
    const status = behaviour.status ?? 404;
    const error = { type: 'error', error: { message: `Status ${status}`, type: 'stand_in', code: null } };
    await send(response, {
      status,
      behaviour,
      pieces: [Buffer.from(JSON.stringify(error))],
      type: 'application/json',
    });
    return;
  }
  const parsed: ModelRequest = body.length === 0 ? { model: '' } : JSON.parse(body.toString());
  const tokens = behaviour.tokens ?? WORDS.length;
  const pad = behaviour.padding === undefined ? '' : 'x'.repeat(behaviour.padding);
  const words = Array.from({ length: tokens }, (_, index) => (WORDS[index % WORDS.length] ?? '') + pad);
  if (parsed.stream === true && api.events !== undefined) {
    const bill = { callId, promptTokens: PROMPT_TOKENS, completionTokens: 0 };
    bills.push(bill);
    const events = api.events(parsed, words);
    if (behaviour.failsAfter !== undefined) events.splice(behaviour.failsAfter, events.length, FAILURE);
    const pieces = events.map((event) => Buffer.from(toEventText(event)));
    const onPiece = (index: number) => {
      bill.completionTokens = Math.min(tokens, index + 1);
    };
    await send(response, {
      status: 200,
      behaviour,
      pieces,
      type: 'text/event-stream; charset=utf-8',
      onPiece,
    });
    return;
  }
  if (api.isBilled)
    bills.push({ callId, promptTokens: PROMPT_TOKENS, completionTokens: api.hasCompletion ? tokens : 0 });
  const whole = Buffer.from(JSON.stringify(api.whole(parsed, words), null, 2));
  await send(response, { status: 200, behaviour, pieces: [whole], type: 'application/json' });
}

function behaviourIn(headers: IncomingHttpHeaders): Behaviour {
  const given = headers[BEHAVIOUR_HEADER];
  return typeof given === 'string' ? JSON.parse(given) : {};
}

const FAILURE: StreamEvent = {
  event: 'error',
  data: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
};

type StreamEvent = { readonly event?: string; readonly data: object | string };

function toEventText({ event, data }: StreamEvent): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`;
}

async function send(
  response: ServerResponse,
  given: {
    status: number;
    behaviour: Behaviour;
    pieces: readonly Buffer[];
    type: string;
    onPiece?: (index: number) => void;
  },
): Promise<void> {
  const { status, behaviour, pieces, type, onPiece } = given;
  const isWhole = pieces.length === 1;
  response.writeHead(status, {
    'content-type': type,
    'x-request-id': 'req_stand_in',
    'openai-processing-ms': '12',
    ...(isWhole ? { 'content-length': String(pieces[0]?.length ?? 0) } : {}),
    ...behaviour.headers,
  });
  for (const [index, piece] of pieces.entries()) {
    if (behaviour.pauseMs !== undefined) await sleep(behaviour.pauseMs);
    if (response.destroyed) return;
    if (!isWhole && index === behaviour.cutAfter) {
      await cut(response);
      return;
    }
    onPiece?.(index);
    const pieceBytes = isWhole ? (behaviour.cutAfter ?? behaviour.pieceBytes) : behaviour.pieceBytes;
    for (const part of splitInto(piece, pieceBytes)) {
      if (!response.write(part))
        await new Promise((resolve) => response.once('drain', resolve).once('close', resolve));
      if (behaviour.pieceBytes !== undefined) await new Promise(setImmediate);
      if (isWhole && behaviour.cutAfter !== undefined) {
        await cut(response);
        return;
      }
    }
  }
  response.end();
}

/** What was written before arrives. */
async function cut(response: ServerResponse): Promise<void> {
  await sleep(50);
  response.destroy();
}

function splitInto(bytes: Buffer, size = bytes.length): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) parts.push(bytes.subarray(at, at + size));
  return parts;
}

interface Api {
  readonly isBilled: boolean;
  readonly hasCompletion: boolean;
  whole(request: ModelRequest, words: readonly string[]): object;
  events?(request: ModelRequest, words: readonly string[]): StreamEvent[];
}

const TOOL = { name: 'add', arguments: '{"left":2,"right":3}' };

function chatUsage(completion: number): object {
  return {
    prompt_tokens: PROMPT_TOKENS,
    completion_tokens: completion,
    total_tokens: PROMPT_TOKENS + completion,
    prompt_tokens_details: { cached_tokens: 2, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 1, audio_tokens: 0 },
  };
}

const CHAT: Api = {
  isBilled: true,
  hasCompletion: true,
  whole: (request, words) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: request.model,
    choices: [
      {
        index: 0,
        message:
          request.tools === undefined
            ? { role: 'assistant', content: textOf(request, words), refusal: null }
            : {
                role: 'assistant',
                content: null,
                tool_calls: [{ id: 'call_1', type: 'function', function: TOOL }],
              },
        finish_reason: request.tools === undefined ? 'stop' : 'tool_calls',
        logprobs: null,
      },
    ],
    usage: chatUsage(words.length),
    system_fingerprint: 'fp_1',
  }),
  events: (request, words) => {
    const hasUsage = request.stream_options?.include_usage === true;
    const common = {
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1_700_000_000,
      model: request.model,
    };
    const chunk = (delta: object, finish_reason: string | null = null): StreamEvent => ({
      data: {
        ...common,
        choices: [{ index: 0, delta, finish_reason, logprobs: null }],
        ...(hasUsage ? { usage: null } : {}),
      },
    });
    return [
      ...words.map((content) => chunk({ role: 'assistant', content })),
      chunk({}, 'stop'),
      ...(hasUsage ? [{ data: { ...common, choices: [], usage: chatUsage(words.length) } }] : []),
      { data: '[DONE]' },
    ];
  },
};

function responseOf(request: ModelRequest, words: readonly string[], status: string): object {
  const output =
    request.tools === undefined
      ? {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: textOf(request, words), annotations: [], logprobs: [] }],
        }
      : { id: 'fc_1', type: 'function_call', call_id: 'call_1', status: 'completed', ...TOOL };
  return {
    id: 'resp_1',
    object: 'response',
    created_at: 1_700_000_000,
    status,
    error: null,
    model: request.model,
    output: status === 'completed' ? [output] : [],
    usage:
      status === 'completed'
        ? {
            input_tokens: PROMPT_TOKENS,
            input_tokens_details: { cached_tokens: 2 },
            output_tokens: words.length,
            output_tokens_details: { reasoning_tokens: 1 },
            total_tokens: PROMPT_TOKENS + words.length,
          }
        : null,
  };
}

const RESPONSES: Api = {
  isBilled: true,
  hasCompletion: true,
  whole: (request, words) => responseOf(request, words, 'completed'),
  events: (request, words) => {
    let sequence_number = -1;
    const event = (type: string, data: object): StreamEvent => {
      sequence_number += 1;
      return { event: type, data: { type, sequence_number, ...data } };
    };
    return [
      event('response.created', { response: responseOf(request, words, 'in_progress') }),
      ...words.map((delta) =>
        event('response.output_text.delta', {
          item_id: 'msg_1',
          output_index: 0,
          content_index: 0,
          delta,
          logprobs: [],
        }),
      ),
      event('response.completed', { response: responseOf(request, words, 'completed') }),
    ];
  },
};

const MESSAGES: Api = {
  isBilled: true,
  hasCompletion: true,
  whole: (request, words) => ({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: request.model,
    content:
      request.tools === undefined
        ? [{ type: 'text', text: words.join('') }]
        : [{ type: 'tool_use', id: 'toolu_1', name: TOOL.name, input: JSON.parse(TOOL.arguments) }],
    stop_reason: request.tools === undefined ? 'end_turn' : 'tool_use',
    stop_sequence: null,
    usage: anthropicUsage(words.length),
  }),
  events: (request, words) => {
    const message = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: request.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: anthropicUsage(1),
    };
    const event = (type: string, data: object = {}): StreamEvent => ({
      event: type,
      data: { type, ...data },
    });
    return [
      event('message_start', { message }),
      event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      event('ping'),
      ...words.map((text) => event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } })),
      event('content_block_stop', { index: 0 }),
      event('message_delta', {
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { output_tokens: words.length },
      }),
      event('message_stop'),
    ];
  },
};

/** Of the prompt, 5 tokens are fresh. */
function anthropicUsage(output_tokens: number): object {
  return { input_tokens: 5, cache_creation_input_tokens: 4, cache_read_input_tokens: 2, output_tokens };
}

const EMBEDDINGS: Api = {
  isBilled: true,
  hasCompletion: false,
  whole: ({ model }) => ({
    object: 'list',
    data: [{ object: 'embedding', index: 0, embedding: [0.5, -0.25, 0.125] }],
    model,
    usage: { prompt_tokens: PROMPT_TOKENS, total_tokens: PROMPT_TOKENS },
  }),
};

const MODELS: Api = {
  isBilled: false,
  hasCompletion: false,
  whole: () => ({
    object: 'list',
    data: [{ id: 'a-model', object: 'model', type: 'model' }],
    has_more: false,
  }),
};

const COUNT: Api = { isBilled: false, hasCompletion: false, whole: () => ({ input_tokens: PROMPT_TOKENS }) };

const APIS: Readonly<Record<string, Api>> = {
  '/v1/chat/completions': CHAT,
  '/v1/responses': RESPONSES,
  '/v1/embeddings': EMBEDDINGS,
  '/v1/messages': MESSAGES,
  '/v1/messages/count_tokens': COUNT,
  '/v1/models': MODELS,
};

/** JSON if the request asks for it. */
function textOf({ response_format, text }: ModelRequest, words: readonly string[]): string {
  const format = response_format?.type ?? text?.format?.type ?? 'text';
  return format === 'json_schema' ? '{"answer":42}' : words.join('');
}
