/** Messages of LangChain, and the parameters of its models for each provider. */

import { collectPrompt, kindOfMediaType, type PartTypes } from './collect-prompt.js';
import type { ModelRequest } from './estimate-tokens.js';
import { fieldOf, toCount } from './token-usage.js';

/** Content blocks of LangChain, and those of the providers, which LangChain passes through. */
const PART_TYPES: PartTypes = {
  image: 'images',
  image_url: 'images',
  input_image: 'images',
  audio: 'audio',
  input_audio: 'audio',
  video: 'files',
  file: kindOfMediaType,
  input_file: 'files',
  document: (part) => (['text', 'content'].includes(String(sourceTypeOf(part))) ? null : 'files'),
  media: kindOfMediaType,
};

const MAX_TOKENS_NAMES = [
  'max_completion_tokens',
  'max_output_tokens',
  'max_tokens',
  'maxOutputTokens',
  'maxTokens',
];

/** `parameters` are those of the call, or the model itself, which has fields of the same names. */
export function langChainRequest(given: {
  messages: readonly unknown[];
  data: readonly unknown[];
  parameters: unknown;
}): ModelRequest {
  return {
    ...collectPrompt({
      content: given.messages.map(contentOf),
      data: given.data,
      partTypes: PART_TYPES,
    }),
    maxTokens: maxTokensOf(given.parameters),
    completions: toCount(fieldOf(given.parameters, 'n')),
  };
}

export function maxTokensOf(parameters: unknown): number | undefined {
  for (const name of MAX_TOKENS_NAMES) {
    const count = toCount(fieldOf(parameters, name));
    if (count !== undefined) return count;
  }
  return undefined;
}

/** Without the metadata of a message, which is not sent, and without the second copy of its tool calls. */
function contentOf(message: unknown): unknown {
  if (typeof message !== 'object' || message === null) return message;
  const { tool_calls: _, ...more } = { ...(fieldOf(message, 'additional_kwargs') ?? {}) } as Fields;
  return {
    ...more,
    role: fieldOf(message, 'type'),
    content: fieldOf(message, 'content'),
    name: fieldOf(message, 'name'),
    tool_call_id: fieldOf(message, 'tool_call_id'),
    // The arguments are data, whatever they look like.
    tool_calls: jsonOf(fieldOf(message, 'tool_calls')),
  };
}

type Fields = Readonly<Record<string, unknown>>;

function jsonOf(toolCalls: unknown): string | undefined {
  return Array.isArray(toolCalls) && toolCalls.length > 0 ? JSON.stringify(toolCalls) : undefined;
}

function sourceTypeOf(part: object): unknown {
  return fieldOf(fieldOf(part, 'source'), 'type');
}
