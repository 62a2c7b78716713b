/** An idempotency record as it was stored before 0008, and as it is found since. */

import { hash } from 'node:crypto';

const TIME = '0199b7d3c480';

export function longRecordOf(workspaceId: string) {
  return {
    workspace_id: workspaceId,
    key_hash: TIME + sha256('key'),
    request_hash: sha256('request'),
    answer: '{"c":3}',
    created_at: 9n,
  };
}

export function shortRecordOf(workspaceId: string) {
  return {
    ...longRecordOf(workspaceId),
    key_hash: TIME + shortHash(workspaceId + shortHash('key')),
    request_hash: shortHash('request'),
  };
}

/** As stored with a record: of a request; of a key twice, with its workspace. */
export function shortHash(text: string): string {
  return sha256(text).slice(0, 22);
}

function sha256(text: string): string {
  return hash('sha256', text, 'base64url');
}
