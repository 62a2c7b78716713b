/** Messages: bodies of requests. */

import { collectPrompt, type PartTypes } from './collect-prompt.js';
import type { ModelRequest } from './estimate-tokens.js';
import { fieldOf, toCount } from './token-usage.js';

const PART_TYPES: PartTypes = {
  image: 'images',
  document: (part) => (isText(fieldOf(fieldOf(part, 'source'), 'type')) ? null : 'files'),
  container_upload: 'files',
};

/** With tools, Anthropic adds a system prompt of its own, of up to 530 tokens as documented. */
const TOOL_PROMPT_TOKENS = 600;

export function anthropicRequest(body: object): ModelRequest {
  const tools = fieldOf(body, 'tools');
  return {
    ...collectPrompt({
      content: [fieldOf(body, 'system'), fieldOf(body, 'messages')],
      data: [tools, fieldOf(body, 'output_config'), fieldOf(body, 'output_format')],
      partTypes: PART_TYPES,
    }),
    tokens: Array.isArray(tools) && tools.length > 0 ? TOOL_PROMPT_TOKENS : 0,
    maxTokens: toCount(fieldOf(body, 'max_tokens')),
  };
}

/** A document can be a text, or a list of text and image blocks. */
function isText(sourceType: unknown): boolean {
  return sourceType === 'text' || sourceType === 'content';
}
