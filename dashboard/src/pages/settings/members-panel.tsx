import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { invitationsQuery, membersQuery, meQuery } from '../../api/queries.ts';
import type { Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Panel } from '../../components/panel.tsx';
import { QueryTable } from '../../components/query-table.tsx';
import { ServerButton } from '../../components/server-button.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { useIntent } from '../../components/use-intent.ts';
import { ROLES } from '../../format/roles.ts';
import keyClasses from './api-keys-panel.module.css';
import { ChangeRoleDialog } from './change-role-dialog.tsx';
import { InviteMemberDialog } from './invite-member-dialog.tsx';
import { type Invitation, isOnlyOwner, type Member } from './member.ts';
import classes from './members-panel.module.css';
import { RemoveMemberDialog } from './remove-member-dialog.tsx';
import { RevokeInvitationDialog } from './revoke-invitation-dialog.tsx';

export function MembersPanel() {
  const members = useQuery(membersQuery);
  const invitations = useQuery(invitationsQuery);
  const { data: me } = useQuery(meQuery);
  const [inviting, setInviting] = useState(false);
  const changing = useIntent<Member>();
  const removing = useIntent<Member>();
  const revoking = useIntent<Invitation>();
  const list = members.data ?? [];
  const open = invitations.data ?? [];

  return (
    <Panel
      title="Members"
      id="members"
      description="The people who sign in to this workspace, and what their role lets them do."
      flush
      action={
        <ServerButton needs="own" size="xs" onClick={() => setInviting(true)}>
          Invite a member
        </ServerButton>
      }
    >
      <QueryTable
        label="Members"
        query={members}
        columns={memberColumns({
          myId: me?.id,
          isFixed: (member) => isOnlyOwner(member, list),
          onChangeRole: changing.open,
          onRemove: removing.open,
        })}
        rows={members.data}
        keyOf={({ id }) => id}
        skeletonRows={2}
        empty={
          <EmptyState icon="users" title="No members">
            Invite one.
          </EmptyState>
        }
        errorClass={keyClasses.inset}
      />
      {(open.length > 0 || invitations.error !== null) && (
        <>
          <h3 className={classes.open}>Open invitations</h3>
          <QueryTable
            label="Open invitations"
            query={invitations}
            columns={invitationColumns(revoking.open)}
            rows={invitations.data}
            keyOf={({ id }) => id}
            skeletonRows={1}
            empty={null}
            errorClass={keyClasses.inset}
          />
        </>
      )}
      <InviteMemberDialog opened={inviting} onClose={() => setInviting(false)} />
      <ChangeRoleDialog dialog={changing} members={list} myId={me?.id} />
      <RemoveMemberDialog dialog={removing} members={list} myId={me?.id} />
      <RevokeInvitationDialog dialog={revoking} invitations={open} />
    </Panel>
  );
}

interface MemberColumnsOptions {
  readonly myId: string | undefined;
  /** Whether the service refuses to change or remove the member. */
  readonly isFixed: (member: Member) => boolean;
  readonly onChangeRole: (member: Member) => void;
  readonly onRemove: (member: Member) => void;
}

const memberColumns = (options: MemberColumnsOptions): readonly Column<Member>[] => [
  {
    header: 'Member',
    cell: ({ id, email, name }) => (
      <>
        <span className={classes.email}>
          {email}
          {id === options.myId && <span className={classes.you}> (you)</span>}
        </span>
        {name !== null && <div className={classes.name}>{name}</div>}
      </>
    ),
  },
  {
    header: 'Role',
    cell: (member) => (
      <>
        {ROLES[member.role].label}
        {options.isFixed(member) && <div className={classes.only}>the only one</div>}
      </>
    ),
  },
  {
    header: 'Joined',
    wide: true,
    className: classes.when,
    cell: ({ created_at }) => <Timestamp iso={created_at} />,
  },
  {
    header: 'Actions',
    isHeaderHidden: true,
    align: 'end',
    cell: (member) =>
      !options.isFixed(member) && (
        <span className={classes.actions}>
          <ServerButton
            needs="own"
            variant="default"
            size="xs"
            aria-label={`Change role of ${member.email}`}
            onClick={() => options.onChangeRole(member)}
          >
            Change role
          </ServerButton>
          <ServerButton
            needs="own"
            variant="default"
            size="xs"
            aria-label={`Remove ${member.email}`}
            onClick={() => options.onRemove(member)}
          >
            Remove
          </ServerButton>
        </span>
      ),
  },
];

const invitationColumns = (onRevoke: (invitation: Invitation) => void): readonly Column<Invitation>[] => [
  {
    header: 'E-mail',
    cell: ({ email, expires_at }) => (
      <>
        <span className={classes.email}>{email}</span>
        <div className={`narrow-only ${classes.name}`}>
          until <Timestamp iso={expires_at} />
        </div>
      </>
    ),
  },
  { header: 'Role', cell: ({ role }) => ROLES[role].label },
  {
    header: 'Valid until',
    wide: true,
    className: classes.when,
    cell: ({ expires_at }) => <Timestamp iso={expires_at} />,
  },
  {
    header: 'Actions',
    isHeaderHidden: true,
    align: 'end',
    cell: (invitation) => (
      <ServerButton
        needs="own"
        variant="default"
        size="xs"
        aria-label={`Revoke the invitation of ${invitation.email}`}
        onClick={() => onRevoke(invitation)}
      >
        Revoke
      </ServerButton>
    ),
  },
];
