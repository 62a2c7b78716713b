/** Code snippets with the URL of this service and an API key. Pure. */

/** Used if no key is available. */
export const KEY_PLACEHOLDER = '<your API key>';

/**
 * The whole life of a run: start, step, report, end. It can be pasted any number of times: it ends its run, and the lease ends a
 * run of which only the start was pasted. It runs in a subshell, so that it defines nothing in the user's shell, and stops
 * at the first answer without an ID. It has no comments: zsh does not accept them at its prompt. Its step is a tool call: the tokens
 * of a model without a price would be a warning on the overview for a month.
 */
export function curlSnippet({ url, apiKey }: { url: string; apiKey: string }): string {
  return `(
send() {
  ANSWER=$(curl -sS -X "$1" "${url}/v1/runs/$2" -d "$3" \\
    -H 'Authorization: Bearer ${apiKey}' \\
    -H 'Content-Type: application/json')
  echo "$ANSWER"
  ID=$(echo "$ANSWER" | sed -n 's/.*"id":"\\([^"]*\\)".*/\\1/p')
  [ -n "$ID" ] || exit 1
}

send POST "" '{"user_id": "first-user", "lease_seconds": 60}'
RUN=$ID
send POST "$RUN/steps" '{"type": "TOOL_CALL", "sequence": 1, "tool_name": "search"}'
STEP=$ID
send PATCH "$RUN/steps/$STEP" '{"status": "COMPLETED", "duration_ms": 120}'
send POST "$RUN/end" '{"status": "COMPLETED"}'
)`;
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
