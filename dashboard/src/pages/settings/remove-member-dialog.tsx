import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, unwrap } from '../../api/api-client.ts';
import { membersQuery } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import type { DialogIntent } from '../../components/use-intent.ts';
import type { Member } from './member.ts';

interface RemoveMemberDialogProps {
  readonly dialog: DialogIntent<Member>;
  /** The current list. */
  readonly members: readonly Member[];
  readonly myId: string | undefined;
}

export function RemoveMemberDialog({ dialog, members, myId }: RemoveMemberDialogProps) {
  const queryClient = useQueryClient();
  const remove = useMutation({
    mutationFn: ({ id }: Member) =>
      unwrap(api.DELETE('/v1/members/{member_id}', { params: { path: { member_id: id } } })),
    onSuccess: async () => {
      close();
      await queryClient.invalidateQueries({ queryKey: membersQuery.queryKey });
    },
  });
  const close = () => {
    dialog.close();
    remove.reset();
  };
  const { intent, shown } = dialog;
  const isGone = intent !== null && !remove.isPending && !members.some(({ id }) => id === intent.id);

  return (
    <ConfirmDialog
      opened={intent !== null}
      title={`Remove ${shown?.email ?? ''}?`}
      confirmLabel="Remove"
      danger
      needs="own"
      conflict={isGone ? { text: `${intent.email} is no longer a member.`, isDone: true } : null}
      pending={remove.isPending}
      error={remove.error}
      onConfirm={() => intent !== null && remove.mutate(intent)}
      onClose={close}
    >
      {shown?.id === myId
        ? 'This is you: your account is deleted, and you are signed out at once.'
        : 'The account is deleted, and the member is signed out everywhere at once.'}{' '}
      API keys that they have made keep working: revoke those that should not.
    </ConfirmDialog>
  );
}
