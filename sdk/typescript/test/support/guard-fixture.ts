/** Starts the real service on a free port, with a new tenant, a client and prices for the test models. */

import {
  startTestService,
  type TestService,
  type TestTenant,
} from '../../../../server/test/support/test-service.js';
import { GuardedRuns, type GuardedRunsOptions } from '../../src/index.js';
import type { components } from '../../src/internal/api-types.gen.js';

export const MODEL = 'test-model';
const PRICE = { inputCostPerToken: 0.000_002, outputCostPerToken: 0.000_01 };

/** As the API shows it. */
type Run = components['schemas']['Run'];
type Step = components['schemas']['Step'];

export interface GuardFixture {
  readonly service: TestService;
  readonly tenant: TestTenant;
  readonly guard: GuardedRuns;
  /** Another client for the same tenant. */
  client(options: GuardedRunsOptions): GuardedRuns;
  /** The newest run of a user, read from the service after `guard` has sent its reports. */
  runOf(userId: string): Promise<Run>;
  stepsOf(userId: string): Promise<readonly Step[]>;
  stop(): Promise<void>;
}

export async function startGuard({
  models = [MODEL],
}: {
  models?: readonly string[];
} = {}): Promise<GuardFixture> {
  const service = await startTestService();
  const tenant = await service.register({ plan: 'enterprise' });
  const client = (options: GuardedRunsOptions) =>
    new GuardedRuns({ baseUrl: service.url, apiKey: tenant.apiKey, onUnpriced: 'ignore', ...options });
  const guard = client({
    onReportError: ({ error }) => {
      throw error;
    },
  });
  await guard.workspace.update({ maxConcurrentRuns: 1_000 });
  for (const model of models) await guard.prices.put(model, PRICE);
  const runOf = async (userId: string) => {
    await guard.flush();
    const { items } = await guard.runs.list({ userId });
    const newest = items[0];
    if (newest === undefined) throw new Error(`${userId} has no run`);
    return (await tenant.machine.get(`/v1/runs/${newest.id}`)).body as Run;
  };
  return {
    service,
    tenant,
    guard,
    client,
    runOf,
    stepsOf: async (userId) => (await runOf(userId)).steps,
    stop: () => service.stop(),
  };
}
