import { useQuery } from '@tanstack/react-query';
import { currentData, readAnew, userQuery } from '../../api/queries.ts';
import { ChangeBlockDialog } from '../../components/change-block-dialog.tsx';
import { ServerButton } from '../../components/server-button.tsx';
import type { BlockIntent } from '../../components/set-blocked.ts';
import { blockSince } from '../../format/since-denial.ts';
import { DenialAction } from './denial-action.tsx';
import type { RemedyProps } from './denied-request.ts';
import { useDenialDialog } from './use-denial-dialog.ts';

export function UnblockAction({ denied: { userId }, onDialog }: RemedyProps) {
  const { dialog, buttonRef, outcomeRef, onClosed } = useDenialDialog<BlockIntent>(onDialog);
  const user = currentData(useQuery(readAnew(userQuery(userId, 1))));
  return (
    <>
      <DenialAction
        since={user === undefined ? undefined : blockSince(user.blocked)}
        needs="change"
        help="unblock this user"
        outcomeRef={outcomeRef}
      >
        <ServerButton
          needs="change"
          ref={buttonRef}
          variant="default"
          size="xs"
          onClick={() => dialog.open({ userId, blocked: false })}
        >
          Unblock this user
        </ServerButton>
      </DenialAction>
      <ChangeBlockDialog dialog={dialog} users={user === undefined ? [] : [user]} onClosed={onClosed} />
    </>
  );
}
