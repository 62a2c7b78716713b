import type { ApiKey } from '../../domain/api-key.js';
import { type Row, readBoolean, readNullableNumber, readNullableText, readNumber, readText } from '../row.js';

export function toApiKey(row: Row): ApiKey {
  return {
    id: readText(row, 'id'),
    workspaceId: readText(row, 'workspace_id'),
    prefix: readText(row, 'prefix'),
    secretHash: readText(row, 'secret_hash'),
    label: readNullableText(row, 'label'),
    isActive: readBoolean(row, 'is_active'),
    createdAt: readNumber(row, 'created_at'),
    lastUsedAt: readNullableNumber(row, 'last_used_at'),
  };
}
