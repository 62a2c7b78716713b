import { expect, test } from 'vitest';
import { gatewaySettings } from '../src/pages/setup/gateway-snippets.ts';

const GIVEN = { url: 'https://guard.example.com', apiKey: 'lg_12345678_secret' };

test('the settings have the base URL that the SDKs of the provider expect, and the key if the service has theirs', () => {
  expect(gatewaySettings({ name: 'openai', path: '/gateway/openai', has_key: true }, GIVEN)).toBe(
    "export OPENAI_BASE_URL=https://guard.example.com/gateway/openai/v1\nexport OPENAI_API_KEY='lg_12345678_secret'",
  );
  expect(gatewaySettings({ name: 'anthropic', path: '/gateway/anthropic', has_key: false }, GIVEN)).toBe(
    'export ANTHROPIC_BASE_URL=https://guard.example.com/gateway/anthropic',
  );
});
