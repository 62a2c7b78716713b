/** How often passwords may be guessed and accounts be registered, and by what each is counted. */

import { createHash } from 'node:crypto';
import { emailKey } from '../domain/account.js';
import { type AttemptLimit, MAX_WINDOW_MS } from './attempt-throttle.js';

const MAX_FAILURES_PER_EMAIL = 10;
const EMAIL_WINDOW_MS = 15 * 60_000;
const MAX_FAILURES_PER_ADDRESS = 100;

const TOO_MANY_SIGN_INS = 'Too many failed sign-ins, try again later';
const TOO_MANY_PASSWORDS = 'Too many wrong passwords, try again later';
const TOO_MANY_REGISTRATIONS = 'Too many registrations from this address, try again later';

/** What failed sign-ins are counted by: the e-mail, known or not, and where they come from. */
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
 * What wrong current passwords are counted by. Only the holder of a token can fail here: strangers who fail to sign in must not
 * keep the owner from changing the password.
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

/** What registrations are counted by, those of a taken e-mail included. */
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

/** Of one length, whatever was typed, and no copy of it: people type passwords into the field above, too. */
function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
