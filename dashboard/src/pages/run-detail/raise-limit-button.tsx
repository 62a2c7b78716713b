import type { Ref } from 'react';
import type { Schemas } from '../../api/api-client.ts';
import { PlanGate } from '../../components/plan-gate.tsx';
import { ServerButton } from '../../components/server-button.tsx';
import { LIMITS } from '../../format/limits.ts';
import type { RaisableLimit } from './raise-limit-dialog.tsx';

interface RaiseLimitButtonProps {
  readonly field: RaisableLimit;
  readonly billing: Schemas['Billing'];
  readonly buttonRef: Ref<HTMLButtonElement>;
  readonly onClick: () => void;
}

/** Opens the dialog that raises a limit, if the plan includes it. */
export function RaiseLimitButton({ field, billing, buttonRef, onClick }: RaiseLimitButtonProps) {
  const { feature, noun } = LIMITS[field];
  return (
    <PlanGate billing={billing} feature={feature}>
      {(locked) =>
        !locked && (
          <ServerButton needs="change" ref={buttonRef} variant="default" size="xs" onClick={onClick}>
            Raise the {noun}
          </ServerButton>
        )
      }
    </PlanGate>
  );
}
