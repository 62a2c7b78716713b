/** The command of the set-up page covers the life of a run, and pasting it again never locks a workspace. Needs no browser. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { curlSnippet } from '../src/pages/setup/snippets.ts';
import { Api } from './support/api.ts';
import { type Service, startService } from './support/service.ts';

/** The Basic plan has three. */
const MORE_THAN_THE_SLOTS = 5;

let service: Service;
let apiKey: string;
let agent: Api;

beforeAll(async () => {
  service = await startService();
  const { body } = await new Api(service.url, null).post('/v1/auth/register', {
    email: 'operator@example.com',
    password: 'correct horse',
  });
  apiKey = body.api_key;
  agent = new Api(service.url, apiKey);
});

afterAll(async () => {
  await service?.stop();
});

test.each(['sh', 'bash'])(
  'the command starts, reports and ends a run each time it is pasted in %s',
  async (shell) => {
    for (let paste = 0; paste < MORE_THAN_THE_SLOTS; paste += 1) {
      const { stdout, stderr } = await promisify(execFile)(shell, ['-c', commandWith(apiKey)]);
      expect(stderr).toBe('');
      const [started, step, report, end, ...rest] = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(started).toMatchObject({ status: 'RUNNING', decision: { outcome: 'ALLOW' } });
      expect(step).toMatchObject({ status: 'ALLOWED', decision: { outcome: 'ALLOW' } });
      expect(report).toMatchObject({ id: step.id, status: 'COMPLETED' });
      expect(end).toMatchObject({ id: started.id, status: 'COMPLETED' });
      expect(rest).toEqual([]);
    }
    expect((await agent.get('/v1/runs/?status=RUNNING')).body.total).toBe(0);
  },
);

test('a run of which only the start was pasted has a lease of a minute', async () => {
  const command = commandWith(apiKey);
  const start = `${command.slice(0, command.indexOf('RUN=$ID'))})`;
  const { stdout } = await promisify(execFile)('sh', ['-c', start]);
  const { id, lease_expires_at: leaseEnd } = JSON.parse(stdout);
  const { body: run } = await agent.get(`/v1/runs/${id}`);
  expect(run.status).toBe('RUNNING');
  expect(Date.parse(leaseEnd) - Date.parse(run.started_at)).toBe(60_000);
});

test('the command leaves no tokens without a price', async () => {
  const { body: days } = await agent.get('/v1/usage/daily?days=1');
  expect(days).toMatchObject([{ unpriced_tokens: 0 }]);
});

test('with a wrong key, the command prints one answer and sends nothing else', async () => {
  const failed = promisify(execFile)('sh', ['-c', commandWith('lg_wrong')]);
  await expect(failed).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^\{"detail":.*\}\n$/),
  });
});

function commandWith(key: string): string {
  return curlSnippet({ url: service.url, apiKey: key });
}
