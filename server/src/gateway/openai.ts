import { type BilledEndpoint, bearerIn, countIn, fieldsOf, type Provider } from './provider.js';

const CHAT: BilledEndpoint = {
  maxTokens: ['max_completion_tokens', 'max_tokens'],
  addedMaxTokens: 'max_completion_tokens',
  choices: 'n',
  mustAskForUsage: true,
  usagePaths: ['usage'],
  firstUsagePath: null,
  lastEvents: [],
  toUsage: (stated) => ({
    promptTokens: countIn(stated['prompt_tokens']),
    completionTokens: countIn(stated['completion_tokens']),
    cacheReadTokens: countIn(fieldsOf(stated['prompt_tokens_details'])['cached_tokens']),
    cacheWriteTokens: countIn(fieldsOf(stated['prompt_tokens_details'])['cache_write_tokens']),
    reasoningTokens: countIn(fieldsOf(stated['completion_tokens_details'])['reasoning_tokens']),
  }),
};

const RESPONSES: BilledEndpoint = {
  maxTokens: ['max_output_tokens'],
  addedMaxTokens: 'max_output_tokens',
  choices: null,
  mustAskForUsage: false,
  usagePaths: ['usage', 'response.usage'],
  firstUsagePath: null,
  lastEvents: ['response.completed', 'response.incomplete', 'response.failed'],
  toUsage: (stated) => ({
    promptTokens: countIn(stated['input_tokens']),
    completionTokens: countIn(stated['output_tokens']),
    cacheReadTokens: countIn(fieldsOf(stated['input_tokens_details'])['cached_tokens']),
    cacheWriteTokens: countIn(fieldsOf(stated['input_tokens_details'])['cache_write_tokens']),
    reasoningTokens: countIn(fieldsOf(stated['output_tokens_details'])['reasoning_tokens']),
  }),
};

const EMBEDDINGS: BilledEndpoint = {
  ...CHAT,
  maxTokens: [],
  addedMaxTokens: null,
  choices: null,
  mustAskForUsage: false,
  toUsage: (stated) => ({ ...CHAT.toUsage(stated), completionTokens: 0 }),
};

export const OPENAI: Provider = {
  name: 'openai',
  endpoints: [
    { method: 'POST', path: '/v1/chat/completions', billed: CHAT },
    { method: 'POST', path: '/v1/responses', billed: RESPONSES },
    { method: 'POST', path: '/v1/embeddings', billed: EMBEDDINGS },
    { method: 'GET', path: '/v1/models', billed: null },
  ],
  credentialIn: bearerIn,
  credentialHeaders: ['authorization'],
  toCredentialHeader: (apiKey) => ['authorization', `Bearer ${apiKey}`],
  toErrorBody: ({ code, message }) => ({ error: { message, type: 'guarded_runs', param: null, code } }),
};
