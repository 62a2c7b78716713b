/** Classifies errors of the driver as unavailable, retryable or a bug, by SQLSTATE and never by text. */

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
 * errors; wrong credentials and a missing database, which at run time mean a change in progress.
 */
const UNAVAILABLE_CLASSES = new Set(['08', '28', '3D', '53', '57', '58']);
/** Lock not available, idle in transaction for too long, and a server that became a read-only replica. */
const UNAVAILABLE_CODES = new Set(['55P03', '25P03', '25006']);

/** The SQLSTATE, or undefined when the error does not come from the server. */
export function sqlStateOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** The error comes from a server that is neither starting nor shutting down. */
export function isServerAnswering(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state !== undefined && !state.startsWith('57P');
}

/** The transaction was rolled back and may succeed when retried. */
export function isWorthRetrying(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state === SERIALIZATION_FAILURE || state === DEADLOCK_DETECTED;
}

export function isUniqueViolation(error: unknown): boolean {
  return sqlStateOf(error) === UNIQUE_VIOLATION;
}

/** An earlier statement of the same transaction failed. */
export function isRefusedAfterFailure(error: unknown): boolean {
  return sqlStateOf(error) === IN_FAILED_TRANSACTION;
}

/** A pooler sent the statement to a connection where it is not prepared, or already prepared. */
export function isLostPreparedStatement(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state === INVALID_STATEMENT_NAME || state === DUPLICATE_PREPARED_STATEMENT;
}

/** An error without SQLSTATE is a failed connection. */
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
