/** Members who were invited and have joined. */

import type { Role } from '../../src/domain/access.js';
import type { ApiClient } from './api-client.js';
import { expectStatus } from './test-service.js';

export interface JoinedMember {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  readonly person: ApiClient;
}

const PASSWORD = 'correct horse';

export async function addMember(
  owner: ApiClient,
  { email, role }: { email: string; role: Role },
): Promise<JoinedMember> {
  const invitation = await owner.post('/v1/members/invitations', { email, role });
  const { token } = expectStatus(invitation, 201).body;
  const { access_token, user } = expectStatus(
    await owner
      .withCredential(null)
      .post('/v1/auth/register', { email, password: PASSWORD, invitation: token }),
    201,
  ).body;
  return { id: user.id, email, password: PASSWORD, person: owner.withCredential(access_token) };
}
