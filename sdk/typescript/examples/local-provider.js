/** A stand-in for the APIs of OpenAI and Anthropic, so that the examples need no provider key. It always says hello. */

import { createServer } from 'node:http';

const TEXT = 'Hello, world';
const USAGE = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };

const ANSWERS = {
  '/v1/chat/completions': (model) => ({
    id: crypto.randomUUID(),
    object: 'chat.completion',
    created: 0,
    model,
    choices: [{ index: 0, message: { role: 'assistant', content: TEXT }, finish_reason: 'stop' }],
    usage: USAGE,
  }),
  '/v1/responses': (model) => ({
    id: crypto.randomUUID(),
    object: 'response',
    created_at: 0,
    status: 'completed',
    model,
    output: [
      {
        id: 'message',
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: TEXT, annotations: [], logprobs: [] }],
      },
    ],
    usage: {
      input_tokens: 11,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 7,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 18,
    },
  }),
  '/v1/messages': (model) => ({
    id: crypto.randomUUID(),
    type: 'message',
    role: 'assistant',
    model,
    content: [{ type: 'text', text: TEXT }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 11, output_tokens: 7 },
  }),
};

export async function startLocalProvider() {
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { model, stream } = JSON.parse(text);
    const answer = ANSWERS[request.url];
    if (answer === undefined) response.writeHead(404).end();
    else if (stream) streamChat(response, model);
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer(model)));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function streamChat(response, model) {
  const common = { id: crypto.randomUUID(), object: 'chat.completion.chunk', created: 0, model };
  const words = TEXT.split(/(?<= )/);
  const deltas = words.map((content) => ({
    choices: [{ index: 0, delta: { content }, finish_reason: null }],
  }));
  const end = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
  const chunks = [...deltas, end, { choices: [], usage: USAGE }];
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const chunk of chunks) response.write(`data: ${JSON.stringify({ ...common, ...chunk })}\n\n`);
  response.end('data: [DONE]\n\n');
}
