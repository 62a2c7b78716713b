/**
 * Commands for a terminal. They run in a subshell, so that they define nothing in the user's shell, and stop at the first answer
 * without an ID. They have no comments: zsh does not accept them at its prompt. A step is a tool call: the tokens of a model
 * without a price would be a warning on the overview for a month. Pure.
 */

import { type SnippetInput, TEST_DENIAL_USER } from './snippet-input.ts';

export function curlRun(given: SnippetInput): string {
  return `(
${sendFunction(given)}

send POST "" '{"user_id": "first-user", "lease_seconds": 60}'
RUN=$ID
send POST "$RUN/steps" '{"type": "TOOL_CALL", "sequence": 1, "tool_name": "search"}'
STEP=$ID
send PATCH "$RUN/steps/$STEP" '{"status": "COMPLETED", "duration_ms": 120}'
send POST "$RUN/end" '{"status": "COMPLETED"}'
)`;
}

export function curlDenial(given: SnippetInput): string {
  return `(
${sendFunction(given)}

send POST "" '{"user_id": "${TEST_DENIAL_USER}", "lease_seconds": 60, "limits": {"max_steps": 1}}'
RUN=$ID
send POST "$RUN/steps" '{"type": "TOOL_CALL", "sequence": 1, "tool_name": "search"}'
send PATCH "$RUN/steps/$ID" '{"status": "COMPLETED", "duration_ms": 120}'
send POST "$RUN/steps" '{"type": "TOOL_CALL", "sequence": 2, "tool_name": "search"}'
send POST "$RUN/end" '{"status": "COMPLETED"}'
)`;
}

/** Prints the answer and keeps its ID. */
function sendFunction({ url, apiKey }: SnippetInput): string {
  return `send() {
  ANSWER=$(curl -sS -X "$1" "${url}/v1/runs/$2" -d "$3" \\
    -H 'Authorization: Bearer ${apiKey}' \\
    -H 'Content-Type: application/json')
  echo "$ANSWER"
  ID=$(echo "$ANSWER" | sed -n 's/.*"id":"\\([^"]*\\)".*/\\1/p')
  [ -n "$ID" ] || exit 1
}`;
}
