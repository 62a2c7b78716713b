/** The plan of a workspace: its features, its usage, and changing it. */

import Type, { type Static } from 'typebox';
import type { Billing } from '../../control/billing.js';
import type { UsageReport } from '../../control/usage-report.js';
import { FEATURES, monthlyRunLimit, PLAN_CHANGES, PLANS, planFeatures, planName } from '../../domain/plan.js';
import type { WorkspaceStore } from '../../store/store.js';
import { accountOf } from '../authenticate.js';
import type { OriginReader } from '../origin.js';
import { Choice, Count, errors, Nullable, PlanName } from '../schemas.js';
import type { HttpServer } from '../server-types.js';

const MonthlyRunLimit = Nullable(Type.Integer(), 'Runs per calendar month; null: unlimited');
const Features = Type.Array(Choice(FEATURES, { title: 'Feature' }));

const BillingBody = Type.Object(
  {
    plan: PlanName,
    monthly_run_limit: MonthlyRunLimit,
    monthly_run_count: Count('Runs this calendar month'),
    max_concurrent_runs: Type.Integer(),
    features: Features,
    plans: Type.Array(
      Type.Object({
        plan: PlanName,
        name: Type.String(),
        monthly_run_limit: MonthlyRunLimit,
        features: Features,
      }),
      { description: 'All plans, lowest first' },
    ),
    plan_changes: Choice(PLAN_CHANGES, {
      description: 'operator: only the operator of the service changes plans',
    }),
  },
  { title: 'Billing' },
);

export interface BillingRoutesOptions {
  readonly originOf: OriginReader;
  readonly billing: Billing;
  readonly usageReport: UsageReport;
  readonly workspaces: WorkspaceStore;
}

export function billingRoutes(
  server: HttpServer,
  { billing, usageReport, workspaces, originOf }: BillingRoutesOptions,
): void {
  server.get(
    '/v1/billing/',
    {
      config: { auth: 'account', access: 'account' },
      schema: {
        operationId: 'getBilling',
        summary: 'Get the plan and its usage',
        tags: ['Billing'],
        response: { 200: BillingBody },
      },
    },
    (request) => describeBilling(accountOf(request).workspaceId),
  );

  server.put(
    '/v1/billing/plan',
    {
      config: { auth: 'account', access: 'own' },
      schema: {
        operationId: 'setPlan',
        summary: 'Change the plan',
        description:
          'A change takes effect at once. A downgrade resets settings that the new plan does not include. Returns 403 if ' +
          'the service is configured with PLAN_CHANGES=operator.',
        tags: ['Billing'],
        body: Type.Object({ plan: PlanName }, { title: 'SetPlan' }),
        response: { 200: BillingBody, ...errors(403) },
      },
    },
    async (request) => {
      const { workspaceId } = accountOf(request);
      const change = { workspaceId, plan: request.body.plan };
      await billing.choosePlan(change, originOf(request));
      return describeBilling(workspaceId);
    },
  );

  async function describeBilling(workspaceId: string): Promise<Static<typeof BillingBody>> {
    const workspace = await workspaces.find(workspaceId);
    if (workspace === null) throw new Error('Every account has a workspace');
    const { monthlyRunCount } = await usageReport.monthlyRuns(workspaceId);
    return {
      plan: workspace.plan,
      monthly_run_limit: monthlyRunLimit(workspace.plan),
      monthly_run_count: monthlyRunCount,
      max_concurrent_runs: workspace.maxConcurrentRuns,
      features: [...planFeatures(workspace.plan)],
      plans: PLANS.map((plan) => ({
        plan,
        name: planName(plan),
        monthly_run_limit: monthlyRunLimit(plan),
        features: [...planFeatures(plan)],
      })),
      plan_changes: billing.planChanges,
    };
  }
}
