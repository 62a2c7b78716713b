/**
 * Runs the campaigns repeatedly for a given time, each time with another seed, or once at full size.
 *
 *   npm run torture -- --minutes 30 --seed 7      rounds of all campaigns, until the time is up
 *   npm run torture -- --full                     each campaign once, at the size in docs/guarantees.md
 *   npm run torture -- --only crash,fuzz …        only the campaigns with these words in their names
 *
 * Round and campaign determine the seed: the same --seed makes the same rounds. A failed campaign is printed with the
 * command that replays it, and the exit code is 1.
 */

import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { CAMPAIGNS } from './torture-campaigns.js';

const MAX_SEED = 2 ** 31;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string' },
    full: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  },
});
const minutes = toNumber('minutes', values.minutes);
const seed = values.seed === undefined ? Math.floor(Math.random() * MAX_SEED) : toNumber('seed', values.seed);
const campaigns = chosen(values.only.split(','));

const results = values.full ? campaigns.map((campaign, index) => run(campaign, index)) : rounds();
print(results);
process.exitCode = results.some(({ isGood }) => !isGood) ? 1 : 0;

function rounds() {
  const end = Date.now() + minutes * 60_000;
  const done = [];
  for (let index = 0; Date.now() < end; index += 1) {
    done.push(run(campaigns[index % campaigns.length], index));
  }
  return done;
}

function run(campaign, index) {
  const environment = {
    TEST_SEED: String((seed + index * 7_919) % MAX_SEED),
    ...(values.full ? { TEST_FULL: '1' } : {}),
  };
  const args = ['vitest', 'run', '--project', campaign.project, campaign.file];
  const words = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const command = [...words, 'npx', ...args].join(' ');
  process.stdout.write(`\n${campaign.name}: ${command}\n`);
  const begun = Date.now();
  const { status } = spawnSync('npx', args, {
    stdio: 'inherit',
    env: { ...process.env, ...environment },
  });
  return { name: campaign.name, seconds: (Date.now() - begun) / 1_000, isGood: status === 0, command };
}

function print(done) {
  process.stdout.write(`\nseed ${seed}, ${done.length} campaigns\n`);
  for (const { name, seconds, isGood } of done) {
    process.stdout.write(
      `  ${isGood ? 'ok    ' : 'FAILED'}  ${name.padEnd(34)} ${seconds.toFixed(0).padStart(5)} s\n`,
    );
  }
  for (const { isGood, command } of done) if (!isGood) process.stdout.write(`  replay: ${command}\n`);
}

function chosen(words) {
  const found = CAMPAIGNS.filter(({ name }) => words.some((word) => name.includes(word.trim())));
  if (found.length === 0)
    stop(`No campaign is called like that. There are:\n  ${CAMPAIGNS.map(({ name }) => name).join('\n  ')}`);
  return found;
}

function toNumber(name, text) {
  const number = Number(text);
  if (!(number >= 0)) stop(`--${name} must be a number that is not negative, not ${text}`);
  return number;
}

function stop(message) {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}
