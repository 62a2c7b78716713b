import type { Config } from '../config.js';
import { limitHeapGrowth } from '../runtime/heap-growth.js';
import { sqliteFile } from '../store/open-store.js';
import { VERSION } from '../version.js';
import type { Command } from './command.js';

/** How long requests in flight may take to complete after a signal. */
const SHUTDOWN_TIMEOUT_MS = 10_000;

export const serve: Command = {
  name: 'serve',
  summary: 'Serve the API and the dashboard (the default)',
  parameters: [],
  help: `Serves the API and the dashboard until SIGTERM or SIGINT. Then it stops accepting connections, completes requests in
flight and closes the store. The database is created and migrated as needed.`,
  run: async (_args, config) => {
    limitHeapGrowth({ hasThreads: sqliteFile(config.databaseUrl) !== null });
    // Imported here, so that the other commands, which do not need it, start faster.
    const { createApp } = await import('../app.js');
    const app = await createApp(config);
    const stopped = new Promise<number>((resolve) => {
      for (const signal of ['SIGTERM', 'SIGINT'] as const) {
        process.once(signal, () => resolve(stop(() => app.close())));
      }
    });
    const url = await app.listen().catch(async (error: unknown) => {
      await app.close();
      throw error;
    });
    process.stderr.write(banner({ url, location: app.store.location, config }));
    return stopped;
  },
};

async function stop(close: () => Promise<void>): Promise<number> {
  const deadline = setTimeout(() => process.exit(1), SHUTDOWN_TIMEOUT_MS);
  await close();
  clearTimeout(deadline);
  return 0;
}

function banner({ url, location, config }: { url: string; location: string; config: Config }): string {
  return `
  Guarded Runs ${VERSION}

  Dashboard  ${url}
  API        ${url}/v1
  Docs       ${url}/docs
  Data       ${location}

  Next: open the dashboard to create your account and first API key (plan: ${config.defaultPlan}), or

    curl -s ${url}/v1/auth/register -H 'Content-Type: application/json' \\
      -d '{"email": "you@example.com", "password": "choose-a-password"}'

`;
}
