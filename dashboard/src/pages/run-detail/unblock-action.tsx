import { useQuery } from '@tanstack/react-query';
import { currentData, listedUserQuery } from '../../api/queries.ts';
import { ChangeBlockDialog } from '../../components/change-block-dialog.tsx';
import { ServerButton } from '../../components/server-button.tsx';
import type { BlockIntent } from '../../components/set-blocked.ts';
import { blockSince } from '../../format/since-denial.ts';
import { DenialAction } from './denial-action.tsx';
import type { RemedyProps } from './denied-request.ts';
import { useDenialDialog } from './use-denial-dialog.ts';

export function UnblockAction({ denied: { userId }, onDialog }: RemedyProps) {
  const { dialog, buttonRef, outcomeRef, onClosed } = useDenialDialog<BlockIntent>(onDialog);
  const found = currentData(useQuery(listedUserQuery({ userId, blocked: true })));
  // With more blocked users than are searched, the user may be one of the others: unblocking has then no effect at worst.
  const isBlocked = found && (found.user !== null || !found.isCertain);
  return (
    <>
      <DenialAction
        since={isBlocked === undefined ? undefined : blockSince(isBlocked)}
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
      <ChangeBlockDialog
        dialog={dialog}
        users={found?.isCertain ? [{ user_id: userId, blocked: found.user !== null }] : []}
        onClosed={onClosed}
      />
    </>
  );
}
