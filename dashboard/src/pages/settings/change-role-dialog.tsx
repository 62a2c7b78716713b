import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrap } from '../../api/api-client.ts';
import { isUnchanged } from '../../api/is-unchanged.ts';
import { membersQuery, meQuery } from '../../api/queries.ts';
import { ConfirmDialog, type Conflict } from '../../components/confirm-dialog.tsx';
import type { DialogIntent } from '../../components/use-intent.ts';
import { ROLES, type Role } from '../../format/roles.ts';
import type { Member } from './member.ts';
import classes from './members-panel.module.css';
import { RoleChoice } from './role-choice.tsx';

interface ChangeRoleDialogProps {
  /** The member as they were when the dialog opened. */
  readonly dialog: DialogIntent<Member>;
  /** The current list. */
  readonly members: readonly Member[];
  readonly myId: string | undefined;
}

export function ChangeRoleDialog({ dialog, members, myId }: ChangeRoleDialogProps) {
  const queryClient = useQueryClient();
  const { intent, shown } = dialog;
  /** null until another one is chosen. */
  const [chosen, setChosen] = useState<Role | null>(null);
  const change = useMutation({
    mutationFn: async ({ member: { id }, role }: { member: Member; role: Role }) => {
      const roleNow = (list: readonly Member[]) => list.find((member) => member.id === id)?.role;
      if (!(await isUnchanged(queryClient, membersQuery, roleNow))) return null;
      const path = { member_id: id };
      return unwrap(api.PATCH('/v1/members/{member_id}', { params: { path }, body: { role } }));
    },
    onSuccess: async (changed) => {
      if (changed === null) return;
      close();
      await Promise.all(
        [membersQuery, meQuery].map(({ queryKey }) => queryClient.invalidateQueries({ queryKey })),
      );
    },
  });
  const close = () => {
    dialog.close();
    change.reset();
    setChosen(null);
  };
  const role = chosen ?? shown?.role ?? 'viewer';
  const present = members.find(({ id }) => id === intent?.id) ?? null;

  return (
    <ConfirmDialog
      opened={intent !== null}
      title={`Change the role of ${shown?.email ?? ''}?`}
      confirmLabel={`Make ${ROLES[role].noun}`}
      needs="own"
      incomplete={chosen === null || chosen === present?.role}
      conflict={intent === null || change.isPending ? null : conflictOf({ intent, present, chosen })}
      pending={change.isPending}
      error={change.error}
      onConfirm={() => intent !== null && change.mutate({ member: intent, role })}
      onClose={close}
    >
      <RoleChoice label="Role" value={role} onChange={setChosen} />
      <p className={classes.applies}>
        It applies from the next request of {shown?.id === myId ? 'yours' : 'this member'}, also on pages that
        are open.
        {shown?.id === myId &&
          role !== 'owner' &&
          ' This is your own role: only another owner can give it back.'}
      </p>
    </ConfirmDialog>
  );
}

interface Change {
  readonly intent: Member;
  readonly present: Member | null;
  readonly chosen: Role | null;
}

function conflictOf({ intent, present, chosen }: Change): Conflict | null {
  if (present === null) return { text: `${intent.email} is no longer a member.`, isDone: true };
  if (present.role === intent.role) return null;
  return { text: `${intent.email} is now ${ROLES[present.role].noun}.`, isDone: present.role === chosen };
}
