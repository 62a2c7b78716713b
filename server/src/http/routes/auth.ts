/** Registration, sign-in and the signed-in account. */

import type { FastifyRequest } from 'fastify';
import Type, { type Static } from 'typebox';
import type { Accounts, NewAccount } from '../../control/accounts.js';
import { unprocessable } from '../../domain/app-error.js';
import { shownMember, shownWorkspace } from '../../domain/shown.js';
import type { WorkspaceStore } from '../../store/store.js';
import { accountOf } from '../authenticate.js';
import { Email, errors, MemberFields, Name, Nullable, PlanName, TokenBody, Uuid } from '../schemas.js';
import type { HttpServer } from '../server-types.js';
import { WorkspaceBody } from './workspace.js';

const NewPassword = Type.String({ minLength: 8, maxLength: 1024 });
/** A password to verify: only its length is limited, so that a wrong one is a failed attempt rather than invalid. */
const PasswordAttempt = Type.String({ maxLength: 1024 });

const RegisterBody = Type.Object(
  {
    email: Email,
    password: NewPassword,
    name: Type.Optional(Nullable(Name('Your name'))),
    workspace_name: Type.Optional(Nullable(Name('Display name of the new workspace'))),
    invitation: Type.Optional(
      Nullable(
        Type.String({ maxLength: 256 }),
        'The token of an invitation: the account joins that workspace, and gets no API key',
      ),
    ),
  },
  { title: 'Register' },
);

const RegisteredBody = Type.Object(
  {
    access_token: Type.String(),
    token_type: TokenBody.properties.token_type,
    api_key: Nullable(Type.String(), 'Shown only once; null for a member who was invited'),
    user: Type.Object(MemberFields),
    workspace: WorkspaceBody,
  },
  { title: 'Registered' },
);

const MeBody = Type.Object({ ...MemberFields, workspace_id: Uuid, plan: PlanName }, { title: 'Me' });

export interface AuthRoutesOptions {
  readonly accounts: Accounts;
  readonly workspaces: WorkspaceStore;
  /** The address that the attempts of a client are counted by. */
  readonly addressOf: (request: FastifyRequest) => string;
}

export function authRoutes(server: HttpServer, { accounts, workspaces, addressOf }: AuthRoutesOptions): void {
  const join = (given: NewAccount, invitationToken: string, workspaceName: string | null) => {
    if (workspaceName !== null) throw unprocessable('body/workspace_name cannot be set with an invitation');
    return accounts.join({ ...given, invitationToken });
  };
  const sourceOf = (request: FastifyRequest) => ({ address: addressOf(request), requestId: request.id });
  server.post(
    '/v1/auth/register',
    {
      config: { auth: 'none' },
      schema: {
        operationId: 'register',
        summary: 'Create an account with its workspace and first API key',
        description: 'With an invitation, the account joins an existing workspace instead.',
        tags: ['Account'],
        body: RegisterBody,
        response: { 201: RegisteredBody, ...errors(429) },
      },
    },
    async (request, reply) => {
      const { email, password, name = null, workspace_name = null, invitation } = request.body;
      const given = { email, password, name, source: sourceOf(request) };
      const { account, workspace, accessToken, apiKey } =
        invitation == null
          ? await accounts.register({ ...given, workspaceName: workspace_name })
          : { ...(await join(given, invitation, workspace_name)), apiKey: null };
      return reply.code(201).send({
        ...toApiToken(accessToken),
        api_key: apiKey,
        user: shownMember(account),
        workspace: shownWorkspace(workspace),
      });
    },
  );

  server.post(
    '/v1/auth/login',
    {
      config: { auth: 'none' },
      schema: {
        operationId: 'login',
        summary: 'Sign in',
        tags: ['Account'],
        body: Type.Object(
          { email: Type.String({ maxLength: 254 }), password: PasswordAttempt },
          { title: 'Login' },
        ),
        response: { 200: TokenBody, ...errors(401, 429) },
      },
    },
    async (request) => {
      const { email, password } = request.body;
      const accessToken = await accounts.login({ email, password, source: sourceOf(request) });
      return toApiToken(accessToken);
    },
  );

  server.get(
    '/v1/auth/me',
    {
      config: { auth: 'account', access: 'account' },
      schema: {
        operationId: 'getMe',
        summary: 'Get the signed-in account',
        tags: ['Account'],
        response: { 200: MeBody },
      },
    },
    async (request) => {
      const account = accountOf(request);
      const workspace = await workspaces.find(account.workspaceId);
      if (workspace === null) throw new Error('Every account has a workspace');
      return { ...shownMember(account), workspace_id: account.workspaceId, plan: workspace.plan };
    },
  );

  server.post(
    '/v1/auth/change-password',
    {
      config: { auth: 'account', access: 'account' },
      schema: {
        operationId: 'changePassword',
        summary: 'Change the password',
        description: 'Returns a new token. Every older token stops working.',
        tags: ['Account'],
        body: Type.Object(
          { current_password: PasswordAttempt, new_password: NewPassword },
          { title: 'ChangePassword' },
        ),
        response: { 200: TokenBody, ...errors(429) },
      },
    },
    async (request) => {
      const accessToken = await accounts.changePassword({
        account: accountOf(request),
        source: sourceOf(request),
        currentPassword: request.body.current_password,
        newPassword: request.body.new_password,
      });
      return toApiToken(accessToken);
    },
  );

  server.post(
    '/v1/auth/reset-password',
    {
      config: { auth: 'none' },
      schema: {
        operationId: 'resetPassword',
        summary: 'Set a new password with a link from the operator',
        description:
          'The operator makes the link with `guarded-runs reset-password`; it is valid for an hour and one use. Returns a new token. Every older token stops working.',
        tags: ['Account'],
        body: Type.Object(
          {
            token: Type.String({ maxLength: 2_048, description: 'The part of the link after #' }),
            new_password: NewPassword,
          },
          { title: 'ResetPassword' },
        ),
        response: { 200: TokenBody },
      },
    },
    async (request) => {
      const accessToken = await accounts.resetPassword({
        token: request.body.token,
        newPassword: request.body.new_password,
        source: sourceOf(request),
      });
      return toApiToken(accessToken);
    },
  );

  server.post(
    '/v1/auth/logout-everywhere',
    {
      config: { auth: 'account', access: 'account' },
      schema: {
        operationId: 'logOutEverywhere',
        summary: 'End all sessions of the account',
        description:
          'Every token of the account stops working with the next request, including the one of this request.',
        tags: ['Account'],
        response: { 204: Type.Null({ description: 'No content' }) },
      },
    },
    async (request, reply) => {
      await accounts.endSessions(accountOf(request), sourceOf(request));
      return reply.code(204).send(null);
    },
  );
}

function toApiToken(accessToken: string): Static<typeof TokenBody> {
  return { access_token: accessToken, token_type: 'bearer' };
}
