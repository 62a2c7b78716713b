/** A workspace for generated requests, and what exists in it: without that, most requests would be "not found". */

import type { ApiReply } from '../support/api-client.js';
import type { TestTenant } from '../support/test-service.js';
import type { CredentialKind, Operation } from './operations.js';

/** How many ids of each kind are kept. */
const MAX_KNOWN = 50;

export class FuzzTenant {
  readonly email: string;
  password: string;
  apiKey: string;
  token: string;
  readonly resetToken: string;
  readonly runIds: string[] = [];
  readonly steps: { runId: string; stepId: string }[] = [];
  readonly keyIds: string[] = [];
  /** Of any scope, active or not. */
  readonly otherKeys: string[] = [];
  /** Without the owner, whose token is used. */
  readonly memberIds: string[];
  readonly invitations: { id: string; email: string; token: string }[] = [];

  constructor({ email, password, apiKey, token, resetToken }: TestTenant, memberIds: readonly string[]) {
    this.memberIds = [...memberIds];
    this.email = email;
    this.password = password;
    this.apiKey = apiKey;
    this.token = token;
    this.resetToken = resetToken;
  }

  credential(kind: CredentialKind): string {
    return kind === 'apiKey' ? this.apiKey : this.token;
  }

  /** Records what a reply shows to exist, or to exist no longer. */
  learn(given: {
    operation: Operation;
    path: string;
    sentBody: Buffer | null;
    reply: Pick<ApiReply, 'status' | 'text'>;
  }): void {
    const { operation, path, sentBody, reply } = given;
    if (reply.status < 200 || reply.status >= 300) return;
    const [, , , id = '', , stepId] = path.split(/[/?]/);
    switch (operation.name) {
      case 'startRun': {
        const run = JSON.parse(reply.text);
        if (run.status === 'RUNNING') add(this.runIds, run.id);
        return;
      }
      case 'createStep': {
        const step = JSON.parse(reply.text);
        if (step.status === 'ALLOWED') add(this.steps, { runId: id, stepId: step.id });
        return;
      }
      case 'updateStep':
        remove(this.steps, (step) => step.stepId === stepId);
        return;
      case 'endRun':
      case 'stopRun':
        remove(this.runIds, (runId) => runId === id);
        return;
      case 'createApiKey': {
        const created = JSON.parse(reply.text);
        add(this.keyIds, created.id);
        add(this.otherKeys, created.key);
        return;
      }
      case 'listApiKeys': {
        const keys: { id: string; is_active: boolean }[] = JSON.parse(reply.text);
        this.keyIds.length = 0;
        for (const key of keys) if (key.is_active) add(this.keyIds, key.id);
        return;
      }
      case 'revokeApiKey':
        remove(this.keyIds, (keyId) => keyId === id);
        return;
      case 'inviteMember':
        add(this.invitations, JSON.parse(reply.text));
        return;
      case 'revokeInvitation':
        remove(this.invitations, (invitation) => path.includes(invitation.id));
        return;
      case 'register': {
        const { invitation } = JSON.parse(sentBody?.toString() ?? '{}');
        if (invitation == null) return;
        remove(this.invitations, ({ token }) => token === invitation);
        add(this.memberIds, JSON.parse(reply.text).user.id);
        return;
      }
      case 'removeMember':
        remove(this.memberIds, (memberId) => memberId === id);
        return;
      case 'regenerateApiKeys':
        this.apiKey = JSON.parse(reply.text).key;
        return;
      case 'changePassword':
      case 'resetPassword':
        this.password = JSON.parse(sentBody?.toString() ?? '{}').new_password;
        this.token = JSON.parse(reply.text).access_token;
    }
  }
}

function add<Item>(items: Item[], item: Item): void {
  items.push(item);
  if (items.length > MAX_KNOWN) items.shift();
}

function remove<Item>(items: Item[], isGone: (item: Item) => boolean): void {
  const index = items.findIndex(isGone);
  if (index >= 0) items.splice(index, 1);
}
