/** Chat completions, completions, responses and embeddings: bodies of requests. */

import { collectPrompt, type PartTypes } from './collect-prompt.js';
import type { ModelRequest } from './estimate-tokens.js';
import { fieldOf, toCount } from './token-usage.js';

const PART_TYPES: PartTypes = {
  image_url: 'images',
  input_image: 'images',
  computer_screenshot: 'images',
  image_generation_call: 'images',
  input_audio: 'audio',
  file: 'files',
  input_file: 'files',
};

export function chatRequest(body: object): ModelRequest {
  return {
    ...collectPrompt({
      content: [fieldOf(body, 'messages')],
      data: fieldsOf(body, ['tools', 'functions', 'response_format', 'prediction']),
      partTypes: PART_TYPES,
    }),
    // Reasoning models accept only max_completion_tokens.
    maxTokens: toCount(fieldOf(body, 'max_completion_tokens')) ?? toCount(fieldOf(body, 'max_tokens')),
    completions: toCount(fieldOf(body, 'n')),
  };
}

export function responseRequest(body: object): ModelRequest {
  const input = fieldOf(body, 'input');
  return {
    ...collectPrompt({
      content: [fieldOf(body, 'instructions'), toMessages(input), fieldOf(body, 'prompt')],
      data: fieldsOf(body, ['tools', 'text']),
      partTypes: PART_TYPES,
    }),
    maxTokens: toCount(fieldOf(body, 'max_output_tokens')),
  };
}

export function embeddingRequest(body: object): ModelRequest {
  return { ...textsOrTokens(fieldOf(body, 'input')), maxTokens: 0 };
}

/** Each prompt of a list has its own completions. */
export function completionRequest(body: object): ModelRequest {
  const prompt = fieldOf(body, 'prompt');
  const prompts = Array.isArray(prompt) && typeof prompt[0] !== 'number' ? prompt.length : 1;
  const each = toCount(fieldOf(body, 'best_of')) ?? toCount(fieldOf(body, 'n')) ?? 1;
  const { texts, tokens } = textsOrTokens(prompt);
  const suffix = fieldOf(body, 'suffix');
  return {
    texts: typeof suffix === 'string' ? [...texts, suffix] : texts,
    tokens,
    maxTokens: toCount(fieldOf(body, 'max_tokens')),
    completions: each * prompts,
  };
}

/** A text instead of messages is a message of the user. */
export function toMessages(input: unknown): unknown {
  return typeof input === 'string' ? [{ role: 'user', content: input }] : input;
}

/** A text, tokens, or a list of either. */
function textsOrTokens(value: unknown): { texts: string[]; tokens: number } {
  const values: unknown[] = Array.isArray(value) ? value.flat() : [value];
  return {
    texts: values.filter((text) => typeof text === 'string'),
    tokens: values.filter((token) => typeof token === 'number').length,
  };
}

function fieldsOf(body: object, names: readonly string[]): unknown[] {
  return names.map((name) => fieldOf(body, name));
}
