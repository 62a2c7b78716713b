import type { Step, StepState, StepStatus, StepType } from '../../domain/step.js';
import { toDecision } from '../decision-text.js';
import {
  type Row,
  readNullableBigint,
  readNullableNumber,
  readNullableText,
  readNumber,
  readText,
} from '../row.js';

export function toStep(row: Row): Step {
  return {
    ...toStepState(row),
    type: readText(row, 'type') as StepType,
    sequence: readNumber(row, 'sequence'),
    position: readNumber(row, 'position'),
    toolName: readNullableText(row, 'tool_name'),
    inputData: readNullableText(row, 'input_data'),
    costPicoUsd: readNullableBigint(row, 'cost_pico_usd'),
    decision: toDecision(readNullableText(row, 'decision_reason'), readText(row, 'decision_rules')),
    createdAt: readNumber(row, 'created_at'),
  };
}

export function toStepState(row: Row): StepState {
  return {
    id: readText(row, 'id'),
    runId: readText(row, 'run_id'),
    status: readText(row, 'status') as StepStatus,
    model: readNullableText(row, 'model'),
    durationMs: readNullableNumber(row, 'duration_ms'),
    promptTokens: readNullableNumber(row, 'prompt_tokens'),
    completionTokens: readNullableNumber(row, 'completion_tokens'),
  };
}
