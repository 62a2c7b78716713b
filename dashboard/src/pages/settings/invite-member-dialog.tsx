import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, unwrap } from '../../api/api-client.ts';
import { invitationsQuery } from '../../api/queries.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { MissingRight } from '../../components/missing-right.tsx';
import { SecretBox } from '../../components/secret-box.tsx';
import { ServerButton } from '../../components/server-button.tsx';
import type { Role } from '../../format/roles.ts';
import { RoleChoice } from './role-choice.tsx';

/** With the role that can break nothing. */
const NEW_MEMBER = { email: '', role: 'viewer' as Role };

/** Invites a member, and shows the link once. */
export function InviteMemberDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const queryClient = useQueryClient();
  const [{ email, role }, setMember] = useState(NEW_MEMBER);
  const change = (changed: Partial<typeof NEW_MEMBER>) => setMember((member) => ({ ...member, ...changed }));
  const invite = useMutation({
    mutationFn: () => unwrap(api.POST('/v1/members/invitations', { body: { email: email.trim(), role } })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: invitationsQuery.queryKey }),
  });
  const reset = () => {
    setMember(NEW_MEMBER);
    invite.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    invite.mutate();
  };
  const invited = invite.data;
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      // After the transition, so that the form does not appear again while the link fades out.
      onExitTransitionEnd={reset}
      // The link is shown once: a click beside the dialog must not lose it.
      closeOnClickOutside={invited === undefined}
      title={invited === undefined ? 'Invite a member' : `Invitation for ${invited.email}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {invited !== undefined ? (
        <Stack gap="md">
          <SecretBox
            secret={invited.url}
            label="Invitation link"
            title="Copy this link now. It is not shown again."
          >
            The service sends no e-mail: pass the link on by hand. It is valid for 7 days and one
            registration.
          </SecretBox>
          <Group justify="flex-end">
            <Button onClick={onClose}>Done</Button>
          </Group>
        </Stack>
      ) : (
        <form onSubmit={submit}>
          <Stack gap="md">
            <TextInput
              label="E-mail"
              description="Only this person can use the invitation"
              type="email"
              autoComplete="off"
              required
              withAsterisk={false}
              maxLength={254}
              data-autofocus
              value={email}
              onChange={(event) => change({ email: event.currentTarget.value })}
            />
            <RoleChoice label="Role" value={role} onChange={(chosen) => change({ role: chosen })} />
            {invite.isError && <ErrorNotice error={invite.error} />}
            <MissingRight needs="own" />
            <Group justify="flex-end" gap="xs">
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <ServerButton
                needs="own"
                type="submit"
                loading={invite.isPending}
                disabled={email.trim() === ''}
              >
                Invite
              </ServerButton>
            </Group>
          </Stack>
        </form>
      )}
    </Modal>
  );
}
