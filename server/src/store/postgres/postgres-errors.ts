/** What an error of the driver means: not now, once more, or a bug. Told by SQLSTATE, never by text. */

import pg from 'pg';
import { AppError, unavailable } from '../../domain/app-error.js';

const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';
const UNIQUE_VIOLATION = '23505';
const IN_FAILED_TRANSACTION = '25P02';
const INVALID_STATEMENT_NAME = '26000';
const DUPLICATE_PREPARED_STATEMENT = '42P05';

/**
 * Connection exceptions, insufficient resources, operator intervention (shutdown, cancelled by a timeout), system
 * errors; wrong credentials and a missing database, which at run time mean that someone is changing them.
 */
const UNAVAILABLE_CLASSES = new Set(['08', '28', '3D', '53', '57', '58']);
/** Lock not available, idle in transaction for too long, and a server that became a read-only replica. */
const UNAVAILABLE_CODES = new Set(['55P03', '25P03', '25006']);

/** The SQLSTATE, or undefined when it was not the server that spoke. */
export function sqlStateOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** It spoke, and was not about to start or to shut down. */
export function isServerAnswering(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state !== undefined && !state.startsWith('57P');
}

/** The transaction was undone and may succeed when it is run again. */
export function isWorthRetrying(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state === SERIALIZATION_FAILURE || state === DEADLOCK_DETECTED;
}

export function isUniqueViolation(error: unknown): boolean {
  return sqlStateOf(error) === UNIQUE_VIOLATION;
}

/** It was sent together with a statement that failed before it. */
export function isRefusedAfterFailure(error: unknown): boolean {
  return sqlStateOf(error) === IN_FAILED_TRANSACTION;
}

/** A pooler between us and the server gave the statement to a connection that does not know it, or knows it already. */
export function isLostPreparedStatement(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state === INVALID_STATEMENT_NAME || state === DUPLICATE_PREPARED_STATEMENT;
}

/** For what the driver rejects with: all that does not come from the server is a connection that failed. */
export function toStoreError(error: unknown): unknown {
  if (error instanceof AppError) return error;
  const state = sqlStateOf(error);
  if (
    state === undefined ||
    UNAVAILABLE_CLASSES.has(state.slice(0, 2)) ||
    UNAVAILABLE_CODES.has(state) ||
    isWorthRetrying(error)
  ) {
    return unavailable('The store is not available right now', error);
  }
  return error;
}
