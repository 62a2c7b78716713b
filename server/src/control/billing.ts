/** The workspace's plan, and who may change it. */

import { forbidden } from '../domain/app-error.js';
import type { Origin } from '../domain/audit.js';
import type { Plan, PlanChanges } from '../domain/plan.js';
import type { Workspace } from '../domain/workspace.js';
import type { WorkspaceStore } from '../store/store.js';

export class Billing {
  readonly #workspaces: WorkspaceStore;
  readonly planChanges: PlanChanges;

  constructor({ workspaces, planChanges }: { workspaces: WorkspaceStore; planChanges: PlanChanges }) {
    this.#workspaces = workspaces;
    this.planChanges = planChanges;
  }

  async choosePlan(change: { workspaceId: string; plan: Plan }, origin: Origin): Promise<Workspace> {
    if (this.planChanges === 'operator') {
      throw forbidden('Plans are changed by the operator of this service (guarded-runs set-plan)');
    }
    return setPlan(this.#workspaces, change, origin);
  }
}

export function setPlan(
  workspaces: WorkspaceStore,
  { workspaceId, plan }: { workspaceId: string; plan: Plan },
  origin: Origin,
): Promise<Workspace> {
  return workspaces.change(workspaceId, { kind: 'plan', plan }, origin);
}
