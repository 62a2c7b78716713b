/** The settings with which an agent calls its provider through the gateway. Pure. */

import type { SnippetInput } from './snippet-input.ts';

export interface GatewayProvider {
  readonly name: string;
  /** Of the gateway, for this provider. */
  readonly path: string;
  /** Whether the service has the key of the provider. */
  readonly has_key: boolean;
}

const NAMES: Readonly<Record<string, string>> = { openai: 'OpenAI', anthropic: 'Anthropic' };

/** As the provider writes it. */
export function providerName(name: string): string {
  return NAMES[name] ?? name;
}

/** For a terminal: every SDK of the provider reads these variables. */
export function gatewaySettings(
  { name, path, has_key }: GatewayProvider,
  { url, apiKey }: SnippetInput,
): string {
  const variable = name.toUpperCase();
  // The SDKs of OpenAI expect the version in their base URL.
  const base = `export ${variable}_BASE_URL=${url}${path}${name === 'openai' ? '/v1' : ''}`;
  return has_key ? `${base}\nexport ${variable}_API_KEY='${apiKey}'` : base;
}

/** The header that a client adds if it sends the key of the provider itself. */
export function gatewayHeader({ apiKey }: SnippetInput): string {
  return `X-Guarded-Key: ${apiKey}`;
}
