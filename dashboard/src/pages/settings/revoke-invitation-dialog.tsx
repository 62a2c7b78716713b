import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, unwrap } from '../../api/api-client.ts';
import { invitationsQuery } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import type { DialogIntent } from '../../components/use-intent.ts';
import type { Invitation } from './member.ts';

interface RevokeInvitationDialogProps {
  readonly dialog: DialogIntent<Invitation>;
  /** The current list. */
  readonly invitations: readonly Invitation[];
}

export function RevokeInvitationDialog({ dialog, invitations }: RevokeInvitationDialogProps) {
  const queryClient = useQueryClient();
  const revoke = useMutation({
    mutationFn: ({ id }: Invitation) =>
      unwrap(
        api.DELETE('/v1/members/invitations/{invitation_id}', { params: { path: { invitation_id: id } } }),
      ),
    onSuccess: async () => {
      close();
      await queryClient.invalidateQueries({ queryKey: invitationsQuery.queryKey });
    },
  });
  const close = () => {
    dialog.close();
    revoke.reset();
  };
  const { intent, shown } = dialog;
  const isGone = intent !== null && !revoke.isPending && !invitations.some(({ id }) => id === intent.id);

  return (
    <ConfirmDialog
      opened={intent !== null}
      title={`Revoke the invitation of ${shown?.email ?? ''}?`}
      confirmLabel="Revoke"
      danger
      needs="own"
      conflict={isGone ? { text: 'This invitation was used, replaced or revoked.', isDone: true } : null}
      pending={revoke.isPending}
      error={revoke.error}
      onConfirm={() => intent !== null && revoke.mutate(intent)}
      onClose={close}
    >
      Its link stops working at once. You can invite the same person again.
    </ConfirmDialog>
  );
}
