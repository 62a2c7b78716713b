/** The requests of an SDK. Every call must be accepted; a test that expects a refusal uses the client itself. */

import type { ApiClient } from './api-client.js';
import { expectStatus } from './test-service.js';

export interface Decided {
  readonly id: string;
  readonly status: string;
  readonly decision: { readonly outcome: string; readonly reason: string | null };
}

export async function startRun(machine: ApiClient, userId = 'ada'): Promise<Decided> {
  return expectStatus(await machine.post('/v1/runs/', { user_id: userId }), 201).body;
}

export async function endRun(machine: ApiClient, runId: string, status = 'COMPLETED'): Promise<void> {
  expectStatus(await machine.post(`/v1/runs/${runId}/end`, { status }), 200);
}

export async function createStep(
  machine: ApiClient,
  runId: string,
  step: { type?: string; sequence?: number; model?: string | null; input_data?: object } = {},
): Promise<Decided> {
  const body = { type: 'MODEL_CALL', sequence: 1, model: 'gpt', ...step };
  return expectStatus(await machine.post(`/v1/runs/${runId}/steps`, body), 201).body;
}

export interface Report {
  readonly status?: string;
  readonly duration_ms?: number | null;
  readonly prompt_tokens?: number | null;
  readonly completion_tokens?: number | null;
  readonly cache_read_tokens?: number | null;
  readonly cache_write_tokens?: number | null;
  readonly reasoning_tokens?: number | null;
  readonly cost_usd?: number | null;
  readonly output_data?: object | null;
  readonly error?: string | null;
  readonly estimated?: boolean | null;
}

export async function updateStep(
  machine: ApiClient,
  { runId, stepId }: { runId: string; stepId: string },
  report: Report,
): Promise<void> {
  const body = { status: 'COMPLETED', ...report };
  expectStatus(await machine.patch(`/v1/runs/${runId}/steps/${stepId}`, body), 200);
}

/** One model call, created and reported; returns the id of the step. */
export async function useModel(
  machine: ApiClient,
  runId: string,
  { model = 'gpt', ...report }: Report & { model?: string | null },
): Promise<string> {
  const { id: stepId } = await createStep(machine, runId, { model });
  await updateStep(machine, { runId, stepId }, report);
  return stepId;
}

export async function setPrice(
  client: ApiClient,
  price: {
    model?: string;
    input?: number;
    output?: number;
    cacheRead?: number;
    cacheWrite?: number;
    isActive?: boolean;
  } = {},
): Promise<void> {
  const { model = 'gpt', input = 0, output = 0, isActive } = price;
  const body = {
    input_cost_per_token: input,
    output_cost_per_token: output,
    is_active: isActive,
    cache_read_cost_per_token: price.cacheRead,
    cache_write_cost_per_token: price.cacheWrite,
  };
  expectStatus(await client.put(`/v1/model-pricing/${encodeURIComponent(model)}`, body), 200);
}

/** Spends exactly this many dollars on a model that costs one tenth of a dollar per token. */
export async function spendTenths(
  machine: ApiClient,
  { runId, tenths }: { runId: string; tenths: number },
): Promise<void> {
  await setPrice(machine, { model: 'dime', input: 0.1 });
  await useModel(machine, runId, { model: 'dime', prompt_tokens: tenths });
}
