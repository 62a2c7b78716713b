/** What the budget of the workspace counts today. Pure. */

import type { Schemas } from './api-client.ts';

interface Responses {
  readonly today: Pick<Schemas['DailyUsage'], 'total_usd'> | undefined;
  readonly summary:
    | (Pick<Schemas['UsageSummary'], 'held_usd'> & {
        readonly today: Pick<Schemas['CostBreakdown'], 'total_usd'>;
      })
    | undefined;
}

export interface SpendToday {
  readonly spentUsd: number;
  readonly heldUsd: number;
}

/**
 * Undefined while loading. With open holds, both amounts come from the same response: otherwise a hold that is settled between
 * two responses would count twice. Without, the spend is the one that is refreshed more often.
 */
export function spendToday({ today, summary }: Responses): SpendToday | undefined {
  if (summary !== undefined && summary.held_usd > 0) {
    return { spentUsd: summary.today.total_usd, heldUsd: summary.held_usd };
  }
  return today && { spentUsd: today.total_usd, heldUsd: 0 };
}
