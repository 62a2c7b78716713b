import type { Account } from '../../domain/account.js';
import { type Row, readNullableText, readNumber, readText } from '../row.js';

export function toAccount(row: Row): Account {
  return {
    id: readText(row, 'id'),
    workspaceId: readText(row, 'workspace_id'),
    email: readText(row, 'email'),
    name: readNullableText(row, 'name'),
    passwordHash: readText(row, 'password_hash'),
    tokenVersion: readNumber(row, 'token_version'),
    createdAt: readNumber(row, 'created_at'),
  };
}
