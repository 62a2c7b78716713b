import type { Decision } from './decision.js';
import type { PicoUsd } from './money.js';
import type { EndStatus, JsonText } from './run.js';

export const STEP_TYPES = ['INPUT', 'MODEL_CALL', 'TOOL_CALL', 'OUTPUT', 'REASONING', 'SYSTEM'] as const;
export type StepType = (typeof STEP_TYPES)[number];

export const STEP_STATUSES = ['ALLOWED', 'COMPLETED', 'FAILED', 'BLOCKED'] as const;
export type StepStatus = (typeof STEP_STATUSES)[number];

/** Characters. */
export const MAX_ERROR_LENGTH = 2_000;

/** What the client reports when a step is done; both counts are null when none was given. */
export interface StepReport {
  readonly status: EndStatus;
  readonly durationMs: number | null;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  /** null: the report has none of them. Apart, because most decisions do not look at them. */
  readonly details: ReportDetails | null;
}

/** What only some reports have. */
export interface ReportDetails {
  /** Parts of the prompt tokens. */
  readonly cacheReadTokens: number | null;
  readonly cacheWriteTokens: number | null;
  /** Part of the completion tokens. */
  readonly reasoningTokens: number | null;
  /** As the provider or the tool states it, instead of the price. */
  readonly statedPicoUsd: PicoUsd | null;
  /** Whether the tokens are an estimate of the client. */
  readonly isEstimated: boolean;
  readonly error: string | null;
  readonly outputData: JsonText | null;
  /** Of all of the above: tells whether a report is repeated, without reading the stored output. */
  readonly hash: string;
}

/** The details of a report as they are stored. */
export interface StepDetails extends ReportDetails {
  /** What the cache saved against the input price; null: the cost does not come from a price. */
  readonly cacheSavedPicoUsd: PicoUsd | null;
}

/** Where a cost comes from: tokens and a price, the client, or a hold that was charged. */
export const COST_SOURCES = ['price', 'reported', 'estimated'] as const;
export type CostSource = (typeof COST_SOURCES)[number];

/** The part of a step that later commands read and change. */
export interface StepState {
  readonly id: string;
  readonly runId: string;
  readonly status: StepStatus;
  readonly model: string | null;
  readonly durationMs: number | null;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  readonly costPicoUsd: PicoUsd | null;
  /** null: the cost, if there is one, comes from a price. */
  readonly costSource: Exclude<CostSource, 'price'> | null;
  /** The version of the price of the model that the cost comes from. */
  readonly priceVersion: number | null;
  /** What the step held when it was created; null: nothing. */
  readonly holdPicoUsd: PicoUsd | null;
  /** What it holds now. */
  readonly heldPicoUsd: PicoUsd | null;
  /** When it was reported or charged: its cost counts on that day. */
  readonly reportedAt: number | null;
  /** The version of the run's totals that first includes the report or charge; null when it adds nothing to them. */
  readonly usageVersion: number | null;
  /** The version that first includes the charge of its hold. */
  readonly chargedVersion: number | null;
  /** Of the details of the report. */
  readonly reportHash: string | null;
  /** Only when they are to be written: they are not read for decisions. */
  readonly details?: StepDetails | null;
}

export function costSourceOf({ costPicoUsd, costSource }: StepState): CostSource | null {
  return costPicoUsd === null ? null : (costSource ?? 'price');
}

export interface Step extends StepState {
  readonly type: StepType;
  readonly sequence: number;
  /** Creation order within the run, starting at 1: decides between equal sequences. */
  readonly position: number;
  readonly toolName: string | null;
  readonly inputData: JsonText | null;
  readonly decision: Decision;
  readonly createdAt: number;
}
