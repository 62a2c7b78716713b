import type { RunStatus } from '../../api/queries.ts';
import type { Status } from '../../components/status-badge.tsx';
import type { Step } from './step-timeline.ts';

export const STEP_TYPE_LABELS: Readonly<Record<Step['type'], string>> = {
  INPUT: 'Input',
  MODEL_CALL: 'Model call',
  TOOL_CALL: 'Tool call',
  OUTPUT: 'Output',
  REASONING: 'Reasoning',
  SYSTEM: 'System',
};

/** The model or tool of a step; null if it has neither. */
export function subjectOf({ model, tool_name }: Pick<Step, 'model' | 'tool_name'>): string | null {
  return model ?? tool_name;
}

/** After the end of the run, a step is not in progress. Its report may still come. */
export function statusOf({ status }: Pick<Step, 'status'>, runStatus: RunStatus): Status {
  return status === 'ALLOWED' && runStatus !== 'RUNNING' ? 'UNREPORTED' : status;
}

export function tokensOf({ prompt_tokens, completion_tokens }: Step): number {
  return (prompt_tokens ?? 0) + (completion_tokens ?? 0);
}
