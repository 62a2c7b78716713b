/** A model call of a run in a test workspace: requested, and reported with its tokens. */

import { expect } from 'vitest';
import type { TestWorkspace } from './workspace.ts';

interface ModelCall {
  readonly sequence: number;
  readonly model: string;
  readonly promptTokens: number;
}

/** Returns the ID of the step. */
export async function callModel(
  { agent }: TestWorkspace,
  runId: string,
  { sequence, model, promptTokens }: ModelCall,
): Promise<string> {
  const created = await agent.post(`/v1/runs/${runId}/steps`, { type: 'MODEL_CALL', sequence, model });
  expect(created.body.status).toBe('ALLOWED');
  const reported = await agent.send('PATCH', `/v1/runs/${runId}/steps/${created.body.id}`, {
    status: 'COMPLETED',
    duration_ms: 900,
    prompt_tokens: promptTokens,
    completion_tokens: 0,
  });
  expect(reported.status).toBe(200);
  return created.body.id;
}

/** Sets a price of a dollar per million tokens. */
export async function setPrice({ operator }: TestWorkspace, model: string): Promise<void> {
  const price = { input_cost_per_token: 0.000001, output_cost_per_token: 0.000001 };
  expect((await operator.send('PUT', `/v1/model-pricing/${model}`, price)).status).toBe(200);
}
