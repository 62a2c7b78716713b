/** Code snippets with the URL of this service and an API key. Pure. */

/** Used if no key is available. */
export const KEY_PLACEHOLDER = '<your API key>';

export function curlSnippet({ url, apiKey }: { url: string; apiKey: string }): string {
  return `curl -s ${url}/v1/runs/ \\
  -H 'Authorization: Bearer ${apiKey}' \\
  -H 'Content-Type: application/json' \\
  -d '{"user_id": "first-user", "metadata": {"agent": "hello"}}'`;
}

export function sdkSnippet({ url, apiKey }: { url: string; apiKey: string }): string {
  return `import { GuardedRuns } from '@guarded-runs/sdk';

const guard = new GuardedRuns({
  baseUrl: '${url}',
  apiKey: '${apiKey}', // or GUARDED_RUNS_URL and GUARDED_RUNS_API_KEY
});

const answer = await guard.run({ userId: 'first-user' }, (run) =>
  run.modelCall({
    model: 'gpt-4o',
    call: () => openai.chat.completions.create({ model: 'gpt-4o', messages }),
  }),
);`;
}
