import type { KeyScope } from './access.js';

export interface ApiKey {
  readonly id: string;
  readonly workspaceId: string;
  readonly prefix: string;
  /** SHA-256 of the secret in hexadecimal. The secret itself is never stored. */
  readonly secretHash: string;
  readonly label: string | null;
  readonly scope: KeyScope;
  /** The end user whose runs the key is limited to; null: all. */
  readonly userId: string | null;
  /** The e-mail of a member, or "key" and its label; null for keys from before this was recorded. */
  readonly createdBy: string | null;
  readonly isActive: boolean;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}
