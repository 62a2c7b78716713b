/** A workspace for heavy load: with a price, so that there is spend, and without limits that would be reached. */

import { LOAD_MODEL } from './acknowledged-load.js';
import { ApiClient } from './api-client.js';
import { expectStatus } from './test-service.js';

/** 3 micro-dollars. */
const LOAD_PRICE_USD = 0.000_003;

export interface LoadWorkspace {
  readonly workspaceId: string;
  readonly apiKey: string;
}

/** The default plan of the service must allow changing the concurrency limit. */
export async function registerLoadWorkspace(url: string): Promise<LoadWorkspace> {
  const account = { email: 'load@example.com', password: 'correct horse' };
  const { body } = expectStatus(await new ApiClient(url, null).post('/v1/auth/register', account), 201);
  const machine = new ApiClient(url, body.api_key);
  const price = { input_cost_per_token: LOAD_PRICE_USD, output_cost_per_token: LOAD_PRICE_USD };
  expectStatus(await machine.put(`/v1/model-pricing/${LOAD_MODEL}`, price), 200);
  expectStatus(await machine.patch('/v1/workspace/', { max_concurrent_runs: 1_000_000 }), 200);
  return { workspaceId: body.workspace.id, apiKey: body.api_key };
}
