/** `guarded-runs backup` of a SQLite database that sixteen clients write to. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SqliteDatabase } from '../../src/store/sqlite/sqlite-database.js';
import { expectBackupsUnderLoad } from '../support/backups-under-load.js';
import { campaignSeed, campaignSize, reportCampaign } from '../support/campaign.js';
import { runCommandAsync } from '../support/service-process.js';

const BACKUPS = campaignSize({ short: 2, full: 20 });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guarded-runs-backup-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test(`${BACKUPS} backups under load are complete databases with every acknowledged write, and a service continues from them`, async () => {
  const databaseUrl = `sqlite:${join(folder, 'live.db')}`;
  const figures = await expectBackupsUnderLoad({
    databaseUrl,
    backups: BACKUPS,
    seed: campaignSeed('backups under load'),
    backUp: async (index) => {
      const file = join(folder, `backup-${index}.db`);
      const { code, stderr } = await runCommandAsync(['backup', file], { DATABASE_URL: databaseUrl });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      await expectIntegrity(file);
      return `sqlite:${file}`;
    },
  });
  reportCampaign('backups under load', { backups: BACKUPS, ...figures });
}, 1_800_000);

async function expectIntegrity(file: string): Promise<void> {
  const database = await SqliteDatabase.open(file);
  expect(database.all('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  expect(database.all('PRAGMA foreign_key_check')).toEqual([]);
  database.close();
}
