/** The limits of sign-ins, password changes and registrations, and the subject that each attempt is counted by. */

import { createHash } from 'node:crypto';
import { emailKey } from '../domain/account.js';
import { type AttemptLimit, MAX_WINDOW_MS } from './attempt-throttle.js';

const MAX_FAILURES_PER_EMAIL = 10;
const EMAIL_WINDOW_MS = 15 * 60_000;
const MAX_FAILURES_PER_ADDRESS = 100;

const TOO_MANY_SIGN_INS = 'Too many failed sign-ins, try again later';
const TOO_MANY_PASSWORDS = 'Too many wrong passwords, try again later';
const TOO_MANY_REGISTRATIONS = 'Too many registrations from this address, try again later';

/** Failed sign-ins are counted by e-mail, whether or not an account has it, and by client address. */
export function signInLimits({ email, address }: { email: string; address: string }): AttemptLimit[] {
  return [
    {
      subject: `email:${digestOf(emailKey(email))}`,
      maxAttempts: MAX_FAILURES_PER_EMAIL,
      windowMs: EMAIL_WINDOW_MS,
      refusal: TOO_MANY_SIGN_INS,
    },
    {
      subject: `address:${address}`,
      maxAttempts: MAX_FAILURES_PER_ADDRESS,
      windowMs: MAX_WINDOW_MS,
      refusal: TOO_MANY_SIGN_INS,
    },
  ];
}

/**
 * Wrong current passwords are counted by account, apart from failed sign-ins. Only the holder of a token can fail here, so
 * failed sign-ins of others cannot keep the owner from changing the password.
 */
export function passwordChangeLimits(accountId: string): AttemptLimit[] {
  return [
    {
      subject: `account:${accountId}`,
      maxAttempts: MAX_FAILURES_PER_EMAIL,
      windowMs: EMAIL_WINDOW_MS,
      refusal: TOO_MANY_PASSWORDS,
    },
  ];
}

/** Registrations are counted by client address, including those with a taken e-mail. */
export function registrationLimits(given: { address: string; perHour: number }): AttemptLimit[] {
  return [
    {
      subject: `registration:${given.address}`,
      maxAttempts: given.perHour,
      windowMs: MAX_WINDOW_MS,
      refusal: TOO_MANY_REGISTRATIONS,
    },
  ];
}

/** A digest has a fixed length, and does not store the text: users sometimes type their password as the e-mail. */
function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
