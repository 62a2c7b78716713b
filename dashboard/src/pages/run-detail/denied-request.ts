import type { Schemas } from '../../api/api-client.ts';
import type { DenyReason } from '../../format/guardrails.ts';

/** A run start or a step that was denied, with what its remedies need to know. */
export interface DeniedRequest {
  readonly reason: DenyReason;
  /** The rule that denied, with the values it compared. */
  readonly rule: Schemas['RuleEvaluation'] | undefined;
  readonly userId: string;
  /** Of a step; null if it names none. */
  readonly model: string | null;
}

export interface RemedyProps {
  readonly denied: DeniedRequest;
  /** Called when a dialog opens, and after it has disappeared. */
  readonly onDialog: (isOpen: boolean) => void;
}
