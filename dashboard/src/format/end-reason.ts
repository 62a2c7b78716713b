/** Why the service ended a run, as the dashboard shows it. A new reason does not compile until it has an entry here. */

import type { Schemas } from '../api/api-client.ts';

export type EndReason = NonNullable<Schemas['Run']['end_reason']>;

interface RunEnd {
  /** After the status, for example "Failed · stopped". */
  readonly short: string;
  readonly title: string;
  /** What it means for the agent. */
  readonly text: string;
}

const RUN_ENDS: Readonly<Record<EndReason, RunEnd>> = {
  LEASE_EXPIRED: {
    short: 'lease ended',
    title: 'Ended by its lease: no request arrived before the lease ended',
    text: 'The agent has probably died. New steps are denied; an agent that was only slow can still report its steps and end the run.',
  },
  STOPPED: {
    short: 'stopped',
    title: 'Stopped by an operator',
    text: 'New steps are denied; the agent can still report the steps it has executed.',
  },
};

/** A server that was upgraded after this page was loaded may send a reason that the page does not know: it is shown as it is. */
export function runEndOf(reason: EndReason): RunEnd {
  const known: Partial<Record<string, RunEnd>> = RUN_ENDS;
  return known[reason] ?? { short: reason, title: `Ended by the service: ${reason}`, text: '' };
}
