/**
 * The throughput of the parts of the service alone, compared with the bare framework: requests without their decisions, and
 * decisions with durable commits without requests. On two cores, the service cannot be faster than the slower part, nor
 * faster than the CPU allows for both parts and the load generator together.
 */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished, test } from 'vitest';
import { isFullSize } from '../../server/test/support/campaign.js';
import { median, recordFigure } from '../figure.js';
import { inTurns } from '../in-turns.js';
import { describeLoad, type LoadMeasurement, measureLoad } from '../measure-load.js';
import {
  newSqliteDatabase,
  type Subject,
  startHttpOnly,
  startService,
  startYardstick,
  verifyStore,
} from '../subjects.js';

const CONNECTIONS = 64;
const ROUNDS = 9;
const WARM_UP_ROUNDS = 1;
const SECONDS = 6;
const COMMITS_ONLY = fileURLToPath(new URL('../commits-only.js', import.meta.url));

/** They have no goal, and there is no time for them in the short form. */
test.runIf(isFullSize)('parts of the throughput on SQLite', async (context) => {
  const yardstick = await startYardstick();
  const httpOnly = await startHttpOnly((await newSqliteDatabase()).url);
  const database = await newSqliteDatabase();
  const commits = await startCommits(database.url);
  const commitRates: number[] = [];
  const measure = async (subject: Subject | Commits): Promise<LoadMeasurement | undefined> => {
    if (!(subject instanceof Commits))
      return measureLoad({ subject, connections: CONNECTIONS, seconds: SECONDS });
    commitRates.push(await subject.measureRate(SECONDS * 1_000));
    return undefined;
  };
  const measured = await inTurns({
    subjects: [yardstick, httpOnly, commits],
    rounds: WARM_UP_ROUNDS + ROUNDS,
    measure,
  });
  const of = (subject: Subject) =>
    (measured.get(subject) ?? []).slice(WARM_UP_ROUNDS).flatMap((one) => one ?? []);
  const rates = (subject: Subject) => of(subject).map(({ rate }) => rate);
  const bare = median(rates(yardstick));
  recordFigure(context, {
    name: 'requests without their decisions ÷ bare framework',
    value: median(rates(httpOnly)) / bare,
    goal: null,
    behind: `${describeLoad('without decisions', of(httpOnly))}; ${describeLoad('yardstick', of(yardstick))}`,
    samples: { 'without decisions, requests/s': rates(httpOnly), 'yardstick, requests/s': rates(yardstick) },
  });
  const commitsOnly = commitRates.slice(WARM_UP_ROUNDS);
  recordFigure(context, {
    name: 'decisions and commits on SQLite without requests ÷ bare framework',
    value: median(commitsOnly) / bare,
    goal: null,
    behind: `${Math.round(median(commitsOnly))}/s in batches of 16, one thread; yardstick ${Math.round(bare)}/s`,
    samples: { 'commits alone, commands/s': commitsOnly },
  });
  await commits.stop();
  await verifyStore(database.url);
});

/** In a workspace that the service has created. */
async function startCommits(databaseUrl: string): Promise<Commits> {
  const service = await startService({ name: 'SQLite', databaseUrl });
  await service.stop();
  const child = fork(COMMITS_ONLY, [databaseUrl, service.apiKeys[0] ?? ''], { execArgv: [] });
  onTestFinished(() => void child.kill());
  await once(child, 'message');
  return new Commits(child);
}

class Commits {
  readonly #child: ChildProcess;

  constructor(child: ChildProcess) {
    this.#child = child;
  }

  async measureRate(durationMs: number): Promise<number> {
    const answered = once(this.#child, 'message');
    this.#child.send({ durationMs });
    const [{ result, error }] = (await answered) as [{ result?: { rate: number }; error?: string }];
    if (result === undefined) throw new Error(`Commits failed: ${error}`);
    return result.rate;
  }

  async stop(): Promise<void> {
    this.#child.disconnect();
    await once(this.#child, 'exit');
  }
}
