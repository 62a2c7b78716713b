import { type Need, refusalOf } from '../session/rights.ts';
import { useRights } from '../session/use-rights.ts';
import { Notice } from './notice.tsx';

/** Says in a dialog why it has no button to confirm: the role of the member has changed since it opened. */
export function MissingRight({ needs }: { needs: Need }) {
  const { role } = useRights();
  const refusal = refusalOf(role, needs);
  return (
    refusal !== null && (
      <Notice tone="warning" role="alert" icon="key" title={refusal}>
        Ask an owner of the workspace.
      </Notice>
    )
  );
}
