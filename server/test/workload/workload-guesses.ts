/** Wrong passwords one after the other, until the e-mail and then the address are throttled. */

import type { NaiveAccount } from './naive-accounts.js';
import type { Workload } from './workload.js';

/** More than the limit of one e-mail. */
const PER_EMAIL = 12;

export async function guessPasswords(
  workload: Workload,
  account: NaiveAccount,
  guesses: number,
): Promise<void> {
  const { serial } = workload.contextOf(account);
  for (let guess = 0; guess < guesses; guess += 1) {
    const email = guess < PER_EMAIL ? account.email : `nobody-${serial}-${guess}@example.com`;
    const body = { email, password: 'wrong horse' };
    await workload.ask('guess', { method: 'POST', path: '/v1/auth/login', credential: null, body });
  }
}
