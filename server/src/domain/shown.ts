/** Things as the API shows them, by the names of their fields. The audit log shows them in the same way. */

import type { Account } from './account.js';
import type { ApiKey } from './api-key.js';
import type { AuditEntry } from './audit.js';
import type { Invitation } from './member.js';
import { attoUsdToNumber, nullableAttoUsdToNumber, nullablePicoUsdToNumber } from './money.js';
import { toIsoTimestamp } from './period.js';
import type { ModelPrice } from './price.js';
import { NO_RUN_LIMITS, type RunLimits } from './run-limits.js';
import type { Workspace } from './workspace.js';

export function shownWorkspace(workspace: Workspace) {
  return {
    id: workspace.id,
    name: workspace.name,
    slug: workspace.slug,
    kill_switch: workspace.killSwitch,
    daily_budget_usd: nullablePicoUsdToNumber(workspace.dailyBudgetPicoUsd),
    user_daily_budget_usd: nullablePicoUsdToNumber(workspace.userDailyBudgetPicoUsd),
    max_concurrent_runs: workspace.maxConcurrentRuns,
    run_lease_seconds: workspace.runLeaseSeconds,
    run_limits: {
      ...shownRunLimits(workspace.runLimits),
      repeat_exempt_tools: [...workspace.repeatExemptTools],
    },
    require_holds: workspace.requireHolds,
    deny_unpriced_models: workspace.denyUnpricedModels,
  };
}

export function shownRunLimits(limits: RunLimits | null) {
  const { maxCostPicoUsd, maxSteps, maxDurationSeconds, maxRepeats } = limits ?? NO_RUN_LIMITS;
  return {
    max_cost_usd: nullablePicoUsdToNumber(maxCostPicoUsd),
    max_steps: maxSteps,
    max_duration_seconds: maxDurationSeconds,
    max_repeats: maxRepeats,
  };
}

export function shownPrice(price: ModelPrice) {
  return {
    id: price.id,
    model: price.model,
    input_cost_per_token: attoUsdToNumber(price.inputAttoUsd),
    output_cost_per_token: attoUsdToNumber(price.outputAttoUsd),
    is_active: price.isActive,
    cache_read_cost_per_token: nullableAttoUsdToNumber(price.cacheReadAttoUsd),
    cache_write_cost_per_token: nullableAttoUsdToNumber(price.cacheWriteAttoUsd),
  };
}

/** Never the hash of its password. */
export function shownMember(member: Account) {
  return {
    id: member.id,
    email: member.email,
    name: member.name,
    role: member.role,
    created_at: toIsoTimestamp(member.createdAt),
  };
}

/** Never its token. */
export function shownInvitation(invitation: Invitation) {
  return {
    id: invitation.id,
    email: invitation.email,
    role: invitation.role,
    created_at: toIsoTimestamp(invitation.createdAt),
    expires_at: toIsoTimestamp(invitation.expiresAt),
  };
}

/** Never its secret. */
export function shownApiKey(apiKey: ApiKey) {
  return {
    id: apiKey.id,
    prefix: apiKey.prefix,
    label: apiKey.label,
    is_active: apiKey.isActive,
    created_at: toIsoTimestamp(apiKey.createdAt),
    last_used_at: apiKey.lastUsedAt === null ? null : toIsoTimestamp(apiKey.lastUsedAt),
    scope: apiKey.scope,
    user_id: apiKey.userId,
    created_by: apiKey.createdBy,
  };
}

export function shownAuditEntry(entry: AuditEntry) {
  return {
    id: entry.id,
    created_at: toIsoTimestamp(entry.createdAt),
    actor: entry.actor,
    action: entry.action,
    target: entry.target,
    before: entry.before,
    after: entry.after,
    request_id: entry.requestId,
    ip_address: entry.ipAddress,
  };
}
