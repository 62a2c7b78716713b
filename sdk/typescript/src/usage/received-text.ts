/** The text in the chunks of a stream: what a model has produced so far, of all known providers. */

import { fieldOf } from './token-usage.js';

/** Text, reasoning and the arguments of tools. */
export function textOf(chunk: unknown): string {
  if (typeof chunk === 'string') return chunk;
  return (
    textOfChoices(fieldOf(chunk, 'choices')) +
    textOfEvent(chunk) +
    // LangChain: a message, or the generation that contains it.
    textOfMessage(fieldOf(chunk, 'message') ?? chunk)
  );
}

/** Chat completions and completions of OpenAI, and of providers with the same API. */
function textOfChoices(choices: unknown): string {
  return join(choices, (choice) => {
    const delta = fieldOf(choice, 'delta');
    return (
      asText(fieldOf(choice, 'text')) +
      asText(fieldOf(delta, 'content')) +
      asText(fieldOf(delta, 'refusal')) +
      asText(fieldOf(delta, 'reasoning_content')) +
      argumentsOf(fieldOf(delta, 'function_call')) +
      join(fieldOf(delta, 'tool_calls'), (call) => argumentsOf(fieldOf(call, 'function')))
    );
  });
}

function argumentsOf(called: unknown): string {
  return asText(fieldOf(called, 'name')) + asText(fieldOf(called, 'arguments'));
}

/** Events with a `delta`: OpenAI responses, Anthropic, the AI SDK (some have `text` instead), OpenAI Agents. */
function textOfEvent(event: unknown): string {
  const type = fieldOf(event, 'type');
  if (typeof type !== 'string' || !/[._-]delta$/.test(type) || type.includes('audio.')) return '';
  const delta = fieldOf(event, 'delta');
  if (typeof delta === 'string') return delta;
  return (
    asText(fieldOf(event, 'text')) +
    asText(fieldOf(delta, 'text')) +
    asText(fieldOf(delta, 'thinking')) +
    asText(fieldOf(delta, 'partial_json'))
  );
}

function textOfMessage(message: unknown): string {
  const content = fieldOf(message, 'content');
  const toolCalls = fieldOf(message, 'tool_call_chunks');
  if (toolCalls === undefined) return '';
  return (
    asText(content) +
    join(content, (block) => asText(fieldOf(block, 'text')) + asText(fieldOf(block, 'thinking'))) +
    join(toolCalls, (call) => asText(fieldOf(call, 'name')) + asText(fieldOf(call, 'args')))
  );
}

function join(list: unknown, toText: (item: unknown) => string): string {
  return Array.isArray(list) ? list.map(toText).join('') : '';
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
