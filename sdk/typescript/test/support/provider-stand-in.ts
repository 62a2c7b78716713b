/** A local model provider with the HTTP APIs of OpenAI and Anthropic, fixed responses and a record of all requests. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Responds with an error. */
export const BROKEN_MODEL = 'broken-model';
/** Its streams are cut off halfway. */
export const CUT_OFF_MODEL = 'cut-off-model';
/** Its streams stall after the first chunks. */
export const STALLED_MODEL = 'stalled-model';
/** Calls the tool `add` once, then answers. */
export const TOOL_MODEL = 'tool-model';

export const ANSWER = ['Hello', ', ', 'world'];
/** The usage of every response. OpenAI counts the parts of the prompt within it, Anthropic beside each other. */
export const TOKENS = { prompt: 11, completion: 7, cacheRead: 2, cacheWrite: 4, reasoning: 1 };

export interface ProviderStandIn {
  readonly url: string;
  readonly requests: { readonly method: string; readonly path: string; readonly body: RequestBody }[];
  stop(): Promise<void>;
}

export interface RequestBody {
  readonly model: string;
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean };
  readonly messages?: readonly { readonly role: string }[];
  readonly input?: unknown;
}

export async function startProvider(): Promise<ProviderStandIn> {
  const requests: ProviderStandIn['requests'] = [];
  const server = createServer((request, response) => {
    readJson(request).then((body) => {
      const { method = '', url: path = '' } = request;
      requests.push({ method, path, body });
      answer({ path, body, response });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function readJson(request: IncomingMessage): Promise<RequestBody> {
  let text = '';
  for await (const chunk of request) text += chunk;
  // Uploads are not JSON.
  return text.startsWith('{') ? JSON.parse(text) : { model: '' };
}

function answer(given: { path: string; body: RequestBody; response: ServerResponse }): void {
  const { path, body, response } = given;
  if (body.model === BROKEN_MODEL) {
    sendJson(response, 400, { type: 'error', error: { type: 'invalid_request_error', message: 'broken' } });
    return;
  }
  const api = APIS.find(({ suffix }) => path.split('?')[0]?.endsWith(suffix));
  if (api === undefined) sendJson(response, 404, { error: { message: `No ${path} here` } });
  else if (body.stream === true) sendEvents(response, api.events(body), body.model);
  else sendJson(response, 200, api.whole(body));
}

interface Api {
  readonly suffix: string;
  whole(body: RequestBody): object;
  events(body: RequestBody): object[];
}

const APIS: readonly Api[] = [
  { suffix: '/chat/completions', whole: chatCompletion, events: chatCompletionChunks },
  { suffix: '/responses', whole: (body) => openAIResponse(body, 'completed'), events: responseEvents },
  { suffix: '/embeddings', whole: embedding, events: () => [] },
  { suffix: '/messages', whole: anthropicMessage, events: anthropicEvents },
  { suffix: '/files', whole: () => ({ id: newId('file'), object: 'file' }), events: () => [] },
  { suffix: '/models', whole: () => ({ object: 'list', data: [] }), events: () => [] },
];

let answerCount = 0;

/** Frameworks identify messages by their ids. */
function newId(prefix: string): string {
  answerCount += 1;
  return `${prefix}-${answerCount}`;
}

const CHAT_USAGE = {
  prompt_tokens: TOKENS.prompt,
  completion_tokens: TOKENS.completion,
  total_tokens: TOKENS.prompt + TOKENS.completion,
  prompt_tokens_details: { cached_tokens: TOKENS.cacheRead, cache_write_tokens: TOKENS.cacheWrite },
  completion_tokens_details: { reasoning_tokens: TOKENS.reasoning },
};

function chatCompletion(body: RequestBody): object {
  const isToolCall = usesTool(body);
  const message = isToolCall
    ? { role: 'assistant', content: null, tool_calls: [TOOL_CALL] }
    : { role: 'assistant', content: ANSWER.join(''), refusal: null };
  return {
    id: newId('chatcmpl'),
    object: 'chat.completion',
    created: 1_700_000_000,
    model: body.model,
    choices: [{ index: 0, message, finish_reason: isToolCall ? 'tool_calls' : 'stop', logprobs: null }],
    usage: CHAT_USAGE,
  };
}

function usesTool({ model, messages }: RequestBody): boolean {
  return model === TOOL_MODEL && messages?.at(-1)?.role !== 'tool';
}

const ADD = { name: 'add', arguments: '{"left":2,"right":3}' };
const TOOL_CALL = { id: 'call-1', type: 'function', function: ADD };

function chatCompletionChunks(body: RequestBody): object[] {
  const common = { id: newId('chatcmpl'), object: 'chat.completion.chunk', created: 1, model: body.model };
  const choice = (delta: object, finish_reason: string | null = null) => ({
    ...common,
    choices: [{ index: 0, delta, finish_reason, logprobs: null }],
  });
  const answer = usesTool(body)
    ? [choice({ role: 'assistant', tool_calls: [{ index: 0, ...TOOL_CALL }] }), choice({}, 'tool_calls')]
    : [...ANSWER.map((content) => choice({ role: 'assistant', content })), choice({}, 'stop')];
  return [
    ...answer,
    ...(body.stream_options?.include_usage === true ? [{ ...common, choices: [], usage: CHAT_USAGE }] : []),
  ];
}

function openAIResponse(body: RequestBody, status: string, id = newId('resp')): object {
  const usesTool = body.model === TOOL_MODEL && !JSON.stringify(body.input).includes('function_call_output');
  const message = {
    id: 'msg-1',
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: ANSWER.join(''), annotations: [], logprobs: [] }],
  };
  const toolCall = { id: 'fc-1', type: 'function_call', call_id: 'call-1', status: 'completed', ...ADD };
  return {
    id,
    object: 'response',
    created_at: 1_700_000_000,
    status,
    model: body.model,
    output: status !== 'completed' ? [] : [usesTool ? toolCall : message],
    parallel_tool_calls: true,
    tool_choice: 'auto',
    tools: [],
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    usage:
      status !== 'completed'
        ? null
        : {
            input_tokens: TOKENS.prompt,
            input_tokens_details: { cached_tokens: TOKENS.cacheRead, cache_write_tokens: TOKENS.cacheWrite },
            output_tokens: TOKENS.completion,
            output_tokens_details: { reasoning_tokens: TOKENS.reasoning },
            total_tokens: TOKENS.prompt + TOKENS.completion,
          },
  };
}

function responseEvents(body: RequestBody): object[] {
  const id = newId('resp');
  const place = { item_id: 'msg-1', output_index: 0, content_index: 0 };
  const item = { id: 'msg-1', type: 'message', role: 'assistant', content: [], status: 'in_progress' };
  const part = { type: 'output_text', text: '', annotations: [] };
  const done = { ...part, text: ANSWER.join('') };
  const events = [
    { type: 'response.created', response: openAIResponse(body, 'in_progress', id) },
    { type: 'response.output_item.added', output_index: 0, item },
    { type: 'response.content_part.added', ...place, part },
    ...ANSWER.map((delta) => ({ type: 'response.output_text.delta', ...place, delta, logprobs: [] })),
    { type: 'response.output_text.done', ...place, text: done.text, logprobs: [] },
    { type: 'response.content_part.done', ...place, part: done },
    {
      type: 'response.output_item.done',
      output_index: 0,
      item: { ...item, status: 'completed', content: [done] },
    },
    { type: 'response.completed', response: openAIResponse(body, 'completed', id) },
  ];
  return events.map((event, sequence_number) => ({ ...event, sequence_number }));
}

function embedding(body: RequestBody): object {
  return {
    object: 'list',
    model: body.model,
    data: [{ object: 'embedding', index: 0, embedding: [0.5, 0.25] }],
    usage: { prompt_tokens: TOKENS.prompt, total_tokens: TOKENS.prompt },
  };
}

const ANTHROPIC_INPUT = {
  input_tokens: TOKENS.prompt - TOKENS.cacheWrite - TOKENS.cacheRead,
  cache_creation_input_tokens: TOKENS.cacheWrite,
  cache_read_input_tokens: TOKENS.cacheRead,
};
const ANTHROPIC_OUTPUT = {
  output_tokens: TOKENS.completion,
  output_tokens_details: { thinking_tokens: TOKENS.reasoning },
};

function anthropicMessage(body: RequestBody): object {
  return {
    id: newId('msg'),
    type: 'message',
    role: 'assistant',
    model: body.model,
    content: [{ type: 'text', text: ANSWER.join(''), citations: null }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { ...ANTHROPIC_INPUT, ...ANTHROPIC_OUTPUT },
  };
}

function anthropicEvents(body: RequestBody): object[] {
  const start = { ...anthropicMessage(body), content: [], stop_reason: null };
  return [
    { type: 'message_start', message: { ...start, usage: { ...ANTHROPIC_INPUT, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    ...ANSWER.map((text) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })),
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: ANTHROPIC_OUTPUT,
    },
    { type: 'message_stop' },
  ];
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** Enough events to include the first text. */
const BEGINNING = 4;

function sendEvents(response: ServerResponse, events: object[], model: string): void {
  const isCutShort = model === CUT_OFF_MODEL || model === STALLED_MODEL;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of isCutShort ? events.slice(0, BEGINNING) : events) {
    const name = 'type' in event ? `event: ${event.type}\n` : '';
    response.write(`${name}data: ${JSON.stringify(event)}\n\n`);
  }
  if (model === STALLED_MODEL) return;
  if (model === CUT_OFF_MODEL) {
    // The events must be sent before the connection is closed.
    response.write(': cut\n\n', () => setImmediate(() => response.destroy()));
    return;
  }
  response.end('type' in (events[0] ?? {}) ? undefined : 'data: [DONE]\n\n');
}
