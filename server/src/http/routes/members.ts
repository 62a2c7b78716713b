/** The members of a workspace, and invitations to it. */

import Type from 'typebox';
import type { Members } from '../../control/members.js';
import { shownInvitation, shownMember } from '../../domain/shown.js';
import { workspaceIdOf } from '../authenticate.js';
import type { OriginReader } from '../origin.js';
import { invitationIdFrom, memberIdFrom } from '../path-parameters.js';
import { Email, errors, MemberFields, RoleName, Timestamp, Uuid } from '../schemas.js';
import type { HttpServer } from '../server-types.js';

const MemberBody = Type.Object(MemberFields, { title: 'Member' });

const InvitationFields = {
  id: Uuid,
  email: Type.String(),
  role: RoleName,
  created_at: Timestamp,
  expires_at: Timestamp,
};
const InvitationBody = Type.Object(InvitationFields, { title: 'Invitation' });
const NewInvitationBody = Type.Object(
  {
    ...InvitationFields,
    token: Type.String({ description: 'For `invitation` of a registration. Shown only once' }),
    url: Type.String({ description: 'The page of the dashboard that registers the member. Shown only once' }),
  },
  { title: 'NewInvitation' },
);

const MemberParameters = Type.Object({ member_id: Type.String() });
const InvitationParameters = Type.Object({ invitation_id: Type.String() });

export function memberRoutes(
  server: HttpServer,
  { members, originOf }: { members: Members; originOf: OriginReader },
): void {
  server.get(
    '/v1/members/',
    {
      config: { auth: 'any', access: 'read' },
      schema: {
        operationId: 'listMembers',
        summary: 'List members',
        tags: ['Members'],
        response: { 200: Type.Array(MemberBody) },
      },
    },
    async (request) => (await members.list(workspaceIdOf(request))).map(shownMember),
  );

  server.patch(
    '/v1/members/:member_id',
    {
      config: { auth: 'account', access: 'own' },
      schema: {
        operationId: 'changeRole',
        summary: 'Change the role of a member',
        description: 'It applies to the next request of the member. The last owner must stay an owner.',
        tags: ['Members'],
        params: MemberParameters,
        body: Type.Object({ role: RoleName }, { title: 'ChangeRole' }),
        response: { 200: MemberBody, ...errors(404) },
      },
    },
    async (request) => {
      const accountId = memberIdFrom(request.params.member_id);
      const change = { workspaceId: workspaceIdOf(request), accountId, role: request.body.role };
      return shownMember(await members.changeRole(change, originOf(request)));
    },
  );

  server.delete(
    '/v1/members/:member_id',
    {
      config: { auth: 'account', access: 'own' },
      schema: {
        operationId: 'removeMember',
        summary: 'Remove a member',
        description:
          'Deletes the account: its next request fails. API keys that the member has made remain, open invitations do not. The last owner must stay.',
        tags: ['Members'],
        params: MemberParameters,
        response: { 204: Type.Null({ description: 'Removed' }), ...errors(404) },
      },
    },
    async (request, reply) => {
      const accountId = memberIdFrom(request.params.member_id);
      await members.remove({ workspaceId: workspaceIdOf(request), accountId }, originOf(request));
      return reply.code(204).send(null);
    },
  );

  server.get(
    '/v1/members/invitations',
    {
      config: { auth: 'any', access: 'read' },
      schema: {
        operationId: 'listInvitations',
        summary: 'List open invitations',
        tags: ['Members'],
        response: { 200: Type.Array(InvitationBody) },
      },
    },
    async (request) => (await members.listInvitations(workspaceIdOf(request))).map(shownInvitation),
  );

  server.post(
    '/v1/members/invitations',
    {
      config: { auth: 'account', access: 'own' },
      schema: {
        operationId: 'inviteMember',
        summary: 'Invite a member',
        description:
          'Returns a link, which you pass on: the service sends no e-mail. It is valid for seven days and one registration ' +
          'with this e-mail. A new invitation of the same e-mail replaces the earlier one.',
        tags: ['Members'],
        body: Type.Object({ email: Email, role: RoleName }, { title: 'InviteMember' }),
        response: { 201: NewInvitationBody },
      },
    },
    async (request, reply) => {
      const given = { workspaceId: workspaceIdOf(request), ...request.body };
      const { invitation, token, url } = await members.invite(given, originOf(request));
      return reply.code(201).send({ ...shownInvitation(invitation), token, url });
    },
  );

  server.delete(
    '/v1/members/invitations/:invitation_id',
    {
      config: { auth: 'account', access: 'own' },
      schema: {
        operationId: 'revokeInvitation',
        summary: 'Revoke an invitation',
        tags: ['Members'],
        params: InvitationParameters,
        response: { 204: Type.Null({ description: 'Revoked' }), ...errors(404) },
      },
    },
    async (request, reply) => {
      const invitationId = invitationIdFrom(request.params.invitation_id);
      await members.revokeInvitation(
        { workspaceId: workspaceIdOf(request), invitationId },
        originOf(request),
      );
      return reply.code(204).send(null);
    },
  );
}
