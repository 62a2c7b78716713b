/** Reads what a model call of a LangChain agent holds, before the agent binds its tools to the model. */

import { convertToOpenAITool } from '@langchain/core/utils/function_calling';
import { toJsonSchema } from '@langchain/core/utils/json_schema';
import type { ModelRequest } from '../usage/estimate-tokens.js';
import { langChainRequest, maxTokensOf } from '../usage/langchain-request.js';
import { fieldOf } from '../usage/token-usage.js';
import { toObject } from './langchain-model-name.js';

/** The fields of the request of `wrapModelCall` that are read here. */
interface AgentRequest {
  readonly model: unknown;
  readonly messages: readonly unknown[];
  readonly systemMessage: unknown;
  readonly tools: readonly unknown[];
  readonly responseFormat?: unknown;
  readonly modelSettings?: unknown;
  readonly runtime: { readonly configurable?: unknown };
}

export function agentRequest(request: AgentRequest): ModelRequest {
  const { messages, systemMessage, tools, responseFormat, modelSettings } = request;
  const formats: unknown[] = Array.isArray(responseFormat) ? responseFormat : [responseFormat];
  const model = modelParametersOf(request.model, request.runtime.configurable);
  return langChainRequest({
    messages: [systemMessage, ...messages],
    data: [...tools.map(toolDefinitionOf), ...formats.map(schemaOf)],
    parameters: {
      maxTokens: maxTokensOf(modelSettings) ?? maxTokensOf(model),
      n: fieldOf(modelSettings, 'n') ?? fieldOf(model, 'n'),
    },
  });
}

/** The model itself, or the options of a model of `initChatModel`, in either case behind its bindings. */
function modelParametersOf(model: unknown, configurable: unknown): unknown {
  const bound = fieldOf(model, 'bound');
  if (bound !== undefined) {
    const own = fieldOf(fieldOf(model, 'config'), 'configurable');
    return modelParametersOf(bound, { ...toObject(own), ...toObject(configurable) });
  }
  const defaults = fieldOf(model, '_defaultConfig');
  if (defaults === undefined) return model;
  const read = fieldOf(model, '_modelParams');
  const configured = typeof read === 'function' ? Reflect.apply(read, model, [{ configurable }]) : {};
  return { ...toObject(defaults), ...toObject(configured) };
}

/** A tool without a JSON schema cannot be sent: LangChain throws the same error when it binds the tool. */
function toolDefinitionOf(tool: unknown): unknown {
  return convertToOpenAITool(tool as Parameters<typeof convertToOpenAITool>[0]);
}

function schemaOf(format: unknown): unknown {
  if (typeof format !== 'object' || format === null) return undefined;
  // The strategies of LangChain contain a definition; otherwise the format is the schema itself.
  const definition = fieldOf(format, 'tool') ?? fieldOf(format, 'schema');
  return definition ?? toJsonSchema(format as Parameters<typeof toJsonSchema>[0]);
}
