import { type Account, emailKey } from '../../domain/account.js';
import type { AuditedChange } from '../../domain/audit.js';
import {
  invitationRevocation,
  memberInvitation,
  memberJoin,
  memberRemoval,
  roleChange,
} from '../../domain/audit-changes.js';
import { type Invitation, requireOwnerLeft } from '../../domain/member.js';
import { listOf, omit, reader } from '../columns.js';
import { firstOf, readNumber } from '../row.js';
import { toAccount } from '../rows.js';
import type { MemberStore } from '../store.js';
import { ACCOUNT, ACCOUNTS, INVITATIONS } from '../tables.js';
import { audited, unchanged } from './sql-audit.js';
import type { SqlDatabase, SqlTransaction } from './sql-database.js';
import { insertInto } from './sql-insert.js';

const ACCOUNT_COLUMNS = listOf(ACCOUNT);
const INVITATION = omit(INVITATIONS.columns, 'emailKey');
const INVITATION_COLUMNS = listOf(INVITATION);
const toInvitation: (row: Parameters<typeof toAccount>[0]) => Invitation = reader(INVITATION);

export function sqlMembers(database: SqlDatabase): MemberStore {
  return {
    async list(workspaceId) {
      const rows = await database.query(
        `SELECT ${ACCOUNT_COLUMNS} FROM accounts WHERE workspace_id = $1 ORDER BY created_at, id`,
        workspaceId,
      );
      return rows.map(toAccount);
    },

    changeRole: ({ workspaceId, accountId, role }, origin) =>
      audited(database, { workspaceId, origin }, async (transaction) => {
        const member = await findMember(transaction, workspaceId, accountId);
        if (member === null) return unchanged(null);
        requireOwnerLeft({ role: member.role, owners: await countOwners(transaction, workspaceId) }, role);
        await transaction.query('UPDATE accounts SET role = $1 WHERE id = $2', role, accountId);
        const changed = { ...member, role };
        return {
          result: changed,
          change: roleChange(member, changed),
          consequences: role === 'owner' ? [] : await withdrawInvitations(transaction, member),
        };
      }),

    remove: ({ workspaceId, accountId }, origin) =>
      audited(database, { workspaceId, origin }, async (transaction) => {
        const member = await findMember(transaction, workspaceId, accountId);
        if (member === null) return unchanged(false);
        requireOwnerLeft({ role: member.role, owners: await countOwners(transaction, workspaceId) }, null);
        await transaction.query('DELETE FROM accounts WHERE id = $1', accountId);
        const consequences = await withdrawInvitations(transaction, member);
        return { result: true, change: memberRemoval(member), consequences };
      }),

    async listInvitations(workspaceId, now) {
      const rows = await database.query(
        `SELECT ${INVITATION_COLUMNS} FROM invitations WHERE workspace_id = $1 AND expires_at > $2 ORDER BY created_at, id`,
        workspaceId,
        now,
      );
      return rows.map(toInvitation);
    },

    async findInvitation(tokenHash) {
      const find = `SELECT ${INVITATION_COLUMNS} FROM invitations WHERE token_hash = $1`;
      return firstOf(await database.query(find, tokenHash), toInvitation);
    },

    invite: ({ invitation, maxMembers }, origin) =>
      audited(database, { workspaceId: invitation.workspaceId, origin }, async (transaction, now) => {
        const { workspaceId } = invitation;
        const key = emailKey(invitation.email);
        const isMember = 'SELECT id FROM accounts WHERE email_key = $1 AND workspace_id = $2';
        if ((await transaction.query(isMember, key, workspaceId)).length > 0)
          return unchanged('member' as const);
        // A new invitation replaces an earlier one, and those that have expired.
        const outdated = await transaction.query(
          `DELETE FROM invitations WHERE workspace_id = $1 AND (email_key = $2 OR expires_at <= $3)
           RETURNING ${INVITATION_COLUMNS}`,
          workspaceId,
          key,
          now,
        );
        const replaced = outdated.map(toInvitation).find(({ expiresAt }) => expiresAt > now) ?? null;
        const count = `SELECT (SELECT COUNT(*) FROM accounts WHERE workspace_id = $1)
                            + (SELECT COUNT(*) FROM invitations WHERE workspace_id = $1) AS total`;
        const total = firstOf(await transaction.query(count, workspaceId), (row) => readNumber(row, 'total'));
        if ((total ?? 0) >= maxMembers) return unchanged('full' as const);
        await insertInto(transaction, INVITATIONS, { ...invitation, emailKey: key });
        return { result: 'invited' as const, change: memberInvitation(replaced, invitation) };
      }),

    revokeInvitation: ({ workspaceId, invitationId }, origin) =>
      audited(database, { workspaceId, origin }, async (transaction, now) => {
        const rows = await transaction.query(
          `DELETE FROM invitations WHERE workspace_id = $1 AND id = $2 AND expires_at > $3
           RETURNING ${INVITATION_COLUMNS}`,
          workspaceId,
          invitationId,
          now,
        );
        const revoked = firstOf(rows, toInvitation);
        return { result: revoked !== null, change: revoked && invitationRevocation(revoked) };
      }),

    async join({ account, tokenHash }, origin) {
      const { workspaceId } = account;
      const key = emailKey(account.email);
      try {
        return await audited(database, { workspaceId, origin }, async (transaction, now) => {
          const used = await transaction.query(
            `DELETE FROM invitations WHERE token_hash = $1 AND workspace_id = $2 AND expires_at > $3 RETURNING id`,
            tokenHash,
            workspaceId,
            now,
          );
          if (used.length === 0) return unchanged('invalid' as const);
          await insertInto(transaction, ACCOUNTS, { ...account, emailKey: key });
          return { result: 'joined' as const, change: memberJoin(account) };
        });
      } catch (error) {
        if (!database.isUniqueViolation(error)) throw error;
        const taken = await database.query('SELECT id FROM accounts WHERE email_key = $1', key);
        if (taken.length === 0) throw error;
        return 'taken';
      }
    },
  };
}

/** Who may not invite any more leaves no invitation behind. */
async function withdrawInvitations(
  transaction: SqlTransaction,
  { id, workspaceId }: Account,
): Promise<AuditedChange[]> {
  const rows = await transaction.query(
    `DELETE FROM invitations WHERE workspace_id = $1 AND invited_by = $2 RETURNING ${INVITATION_COLUMNS}`,
    workspaceId,
    id,
  );
  return rows.map((row) => invitationRevocation(toInvitation(row)));
}

async function findMember(transaction: SqlTransaction, workspaceId: string, accountId: string) {
  const find = `SELECT ${ACCOUNT_COLUMNS} FROM accounts WHERE id = $1 AND workspace_id = $2`;
  return firstOf(await transaction.query(find, accountId, workspaceId), toAccount);
}

async function countOwners(transaction: SqlTransaction, workspaceId: string): Promise<number> {
  const count = `SELECT COUNT(*) AS total FROM accounts WHERE workspace_id = $1 AND role = 'owner'`;
  return firstOf(await transaction.query(count, workspaceId), (row) => readNumber(row, 'total')) ?? 0;
}
