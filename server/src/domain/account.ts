/** A person who signs in; each account has one workspace. */
export interface Account {
  readonly id: string;
  readonly workspaceId: string;
  /** As it was given; compared without regard to case. */
  readonly email: string;
  readonly name: string | null;
  readonly passwordHash: string;
  /** Grows with every change of password; tokens that carry an older one are refused. */
  readonly tokenVersion: number;
  readonly createdAt: number;
}

/** The form in which e-mail addresses are compared. */
export function emailKey(email: string): string {
  return email.normalize('NFC').toLowerCase();
}
