/** Call options of a language model of the AI SDK. */

import { collectPrompt, kindOfMediaType, type PartTypes } from './collect-prompt.js';
import type { ModelRequest } from './estimate-tokens.js';
import { fieldOf, toCount } from './token-usage.js';

const PART_TYPES: PartTypes = {
  file: kindOfMediaType,
  'reasoning-file': kindOfMediaType,
  // Parts of the results of tools.
  media: kindOfMediaType,
  'file-data': kindOfMediaType,
  'file-url': kindOfMediaType,
  'file-id': 'files',
  'image-data': 'images',
  'image-url': 'images',
  'image-file-id': 'images',
};

export function aiSdkRequest(params: object): ModelRequest {
  return {
    ...collectPrompt({
      content: [fieldOf(params, 'prompt')],
      data: [fieldOf(params, 'tools'), fieldOf(fieldOf(params, 'responseFormat'), 'schema')],
      partTypes: PART_TYPES,
    }),
    maxTokens: toCount(fieldOf(params, 'maxOutputTokens')),
  };
}
