import { useQuery } from '@tanstack/react-query';
import { currentData, readAnew, workspaceQuery } from '../../api/queries.ts';
import { KillSwitchDialog, type KillSwitchIntent } from '../../components/kill-switch-dialog.tsx';
import { ServerButton } from '../../components/server-button.tsx';
import { killSwitchSince } from '../../format/since-denial.ts';
import { DenialAction } from './denial-action.tsx';
import type { RemedyProps } from './denied-request.ts';
import { useDenialDialog } from './use-denial-dialog.ts';

export function KillSwitchAction({ onDialog }: Pick<RemedyProps, 'onDialog'>) {
  const { dialog, buttonRef, outcomeRef, onClosed } = useDenialDialog<KillSwitchIntent>(onDialog);
  const workspace = currentData(useQuery(readAnew(workspaceQuery)));
  if (workspace === undefined) return null;
  return (
    <>
      <DenialAction
        since={killSwitchSince(workspace)}
        needs="change"
        help="turn the kill switch off"
        outcomeRef={outcomeRef}
      >
        <ServerButton
          needs="change"
          ref={buttonRef}
          variant="default"
          size="xs"
          onClick={() => dialog.open({ active: false })}
        >
          Turn the kill switch off
        </ServerButton>
      </DenialAction>
      <KillSwitchDialog dialog={dialog} workspace={workspace} onClosed={onClosed} />
    </>
  );
}
