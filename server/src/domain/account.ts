import type { Role } from './access.js';

/** A person who signs in: a member of one workspace. */
export interface Account {
  readonly id: string;
  readonly workspaceId: string;
  /** As given; compared case-insensitively. */
  readonly email: string;
  readonly name: string | null;
  readonly passwordHash: string;
  /** Incremented by every change of password and end of sessions; tokens with an older version are refused. */
  readonly tokenVersion: number;
  readonly role: Role;
  readonly createdAt: number;
}

/** The form in which e-mail addresses are compared. */
export function emailKey(email: string): string {
  return email.normalize('NFC').toLowerCase();
}
