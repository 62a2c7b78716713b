/** The seed from the environment, or a new one; printed, so that a failure can be replayed with TEST_SEED. */
export function campaignSeed(name: string): number {
  const seed = Number(process.env.TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));
  process.stderr.write(`${name}: TEST_SEED=${seed}\n`);
  return seed;
}
