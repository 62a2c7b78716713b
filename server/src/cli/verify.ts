import type { Command } from './command.js';
import { withStore } from './with-store.js';

export const verify: Command = {
  name: 'verify',
  summary: 'Recompute every counter from the runs and steps and compare them',
  parameters: [],
  help: `Recomputes every roll-up (per day by workspace, user, model and deny reason), the run counts and the totals of each
run from the runs and steps. Prints the differences and exits with 1 if there are any, else with 0. It is safe while the
service is running.`,
  run: async (_args, config) =>
    withStore(config, async (store) => {
      const { counted, differences } = await store.maintenance.verify();
      for (const { counter, stored, recomputed } of differences) {
        process.stdout.write(`${counter}\n  stored      ${stored}\n  recomputed  ${recomputed}\n`);
      }
      const rows = Object.entries(counted).map(([table, count]) => `${table} ${count}`);
      process.stdout.write(`${differences.length} differences (rows compared: ${rows.join(', ')})\n`);
      return differences.length === 0 ? 0 : 1;
    }),
};
