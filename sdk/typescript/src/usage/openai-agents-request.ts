/** Requests of the OpenAI Agents SDK to its models. */

import { collectPrompt, type PartTypes } from './collect-prompt.js';
import type { ModelRequest } from './estimate-tokens.js';
import { toMessages } from './openai-request.js';
import { fieldOf, toCount } from './token-usage.js';

const PART_TYPES: PartTypes = {
  input_image: 'images',
  image: 'images',
  computer_screenshot: 'images',
  audio: 'audio',
  input_file: 'files',
  file: 'files',
};

export function agentsRequest(request: object): ModelRequest {
  const settings = fieldOf(request, 'modelSettings');
  // Sent as they are, after the settings.
  const own = fieldOf(settings, 'providerData');
  return {
    ...collectPrompt({
      content: [
        fieldOf(request, 'systemInstructions'),
        toMessages(fieldOf(request, 'input')),
        fieldOf(request, 'prompt'),
      ],
      data: [fieldOf(request, 'tools'), fieldOf(request, 'handoffs'), fieldOf(request, 'outputType')],
      partTypes: PART_TYPES,
    }),
    maxTokens:
      toCount(fieldOf(own, 'max_completion_tokens')) ??
      toCount(fieldOf(own, 'max_output_tokens')) ??
      toCount(fieldOf(own, 'max_tokens')) ??
      toCount(fieldOf(settings, 'maxTokens')),
    completions: toCount(fieldOf(own, 'n')),
  };
}
