/** Steps are equal when their type, their model or tool and their input are, the input compared as canonical JSON. */

import { hash } from 'node:crypto';
import type { CreateStep } from '../domain/decide.js';
import type { Fingerprint } from '../domain/run-limits.js';
import type { ReportDetails } from '../domain/step.js';

/** Of a base64url hash: 72 bits. */
const LENGTH = 12;

/** Null without input. */
export function fingerprintOf({ type, model, toolName, inputData, inputHash }: CreateStep): Fingerprint {
  if (inputData === null && inputHash === undefined) return null;
  const input = inputHash ?? hashOfInput(JSON.parse(inputData ?? 'null'));
  return digest(JSON.stringify([type, model, toolName, input])).slice(0, LENGTH);
}

/** Reports are equal when their values are, the output compared as canonical JSON. */
export function hashOfDetails(
  { outputData: _, statedPicoUsd, ...details }: Omit<ReportDetails, 'hash'>,
  outputHash: string | null,
): string {
  const { cacheReadTokens, cacheWriteTokens, reasoningTokens, isEstimated, error } = details;
  const values = [cacheReadTokens, cacheWriteTokens, reasoningTokens, isEstimated, error];
  return digest(JSON.stringify([...values, statedPicoUsd?.toString() ?? null, outputHash]));
}

/** The same for all orders of keys. */
export function hashOfInput(value: unknown): string {
  return digest(JSON.stringify(value, withSortedKeys));
}

function withSortedKeys(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  // Entries are compared by their keys, which differ.
  return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)));
}

function digest(text: string): string {
  return hash('sha256', text, 'base64url');
}
