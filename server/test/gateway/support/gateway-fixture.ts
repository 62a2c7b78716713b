/** The service with a local provider behind its gateway. */

import {
  expectStatus,
  startTestService,
  type TestService,
  type TestTenant,
} from '../../support/test-service.js';
import { type ProviderStandIn, startProvider } from './provider-stand-in.js';

export interface GatewayFixture {
  readonly service: TestService;
  readonly provider: ProviderStandIn;
  readonly tenant: TestTenant;
  /** Base URLs for the SDKs. */
  readonly openaiUrl: string;
  readonly anthropicUrl: string;
  stop(): Promise<void>;
}

export const PROVIDER_KEY = 'sk-of-the-provider';
export const MODEL = 'a-model';

/** The service has the keys of the providers, unless the environment takes them away. */
export async function startGateway(environment: Record<string, string> = {}): Promise<GatewayFixture> {
  const provider = await startProvider();
  const service = await startTestService({
    // Tests advance the clock by days.
    JWT_TTL_SECONDS: '31536000',
    GATEWAY_OPENAI_URL: provider.url,
    GATEWAY_ANTHROPIC_URL: provider.url,
    GATEWAY_OPENAI_API_KEY: PROVIDER_KEY,
    GATEWAY_ANTHROPIC_API_KEY: PROVIDER_KEY,
    ...environment,
  });
  const tenant = await service.register({ plan: 'enterprise' });
  expectStatus(await tenant.person.patch('/v1/workspace/', { max_concurrent_runs: 1_000_000 }), 200);
  const price = { input_cost_per_token: 0.001, output_cost_per_token: 0.01 };
  expectStatus(await tenant.person.put(`/v1/model-pricing/${MODEL}`, price), 200);
  return {
    service,
    provider,
    tenant,
    openaiUrl: `${service.url}/gateway/openai/v1`,
    anthropicUrl: `${service.url}/gateway/anthropic`,
    stop: async () => {
      await service.stop();
      await provider.stop();
    },
  };
}
