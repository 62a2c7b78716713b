import { type BilledEndpoint, bearerIn, countIn, type Provider } from './provider.js';

const MESSAGES: BilledEndpoint = {
  maxTokens: ['max_tokens'],
  addedMaxTokens: 'max_tokens',
  choices: null,
  mustAskForUsage: false,
  // The first event of a stream states the prompt, later ones the completion so far.
  usagePaths: ['message.usage', 'usage'],
  firstUsagePath: 'message.usage',
  lastEvents: ['message_stop'],
  toUsage: (stated) => {
    const cacheReadTokens = countIn(stated['cache_read_input_tokens']);
    const cacheWriteTokens = countIn(stated['cache_creation_input_tokens']);
    const freshTokens = countIn(stated['input_tokens']);
    return {
      promptTokens:
        freshTokens === null ? null : freshTokens + (cacheReadTokens ?? 0) + (cacheWriteTokens ?? 0),
      completionTokens: countIn(stated['output_tokens']),
      cacheReadTokens,
      cacheWriteTokens,
      reasoningTokens: null,
    };
  },
};

/** The types of errors that the provider documents, by status. */
const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
};

export const ANTHROPIC: Provider = {
  name: 'anthropic',
  endpoints: [
    { method: 'POST', path: '/v1/messages', billed: MESSAGES },
    { method: 'POST', path: '/v1/messages/count_tokens', billed: null },
    { method: 'GET', path: '/v1/models', billed: null },
  ],
  credentialIn: (headers) => {
    const key = headers['x-api-key'];
    return typeof key === 'string' ? key : bearerIn(headers);
  },
  credentialHeaders: ['x-api-key', 'authorization'],
  toCredentialHeader: (apiKey) => ['x-api-key', apiKey],
  toErrorBody: ({ status, code, message }) => ({
    type: 'error',
    error: { type: ERROR_TYPES[status] ?? 'api_error', message, code },
  }),
};
