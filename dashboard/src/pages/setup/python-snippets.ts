/**
 * Programs for Python 3 without packages. Functions have no blank lines, so that the code can be pasted at the prompt of Python,
 * too. Pure.
 */

import { type SnippetInput, TEST_DENIAL_USER } from './snippet-input.ts';

export function pythonRun(given: SnippetInput): string {
  return `import json
import time
import urllib.error
import urllib.request

${sendFunction(given)}

def run_agent(user_id):
    run = send("POST", "", {"user_id": user_id, "lease_seconds": 60})
    if run["decision"]["outcome"] == "DENY":
        print("The run was denied:", run["decision"]["reason"])
        return
    status = "FAILED"
    try:
        ask = {"type": "TOOL_CALL", "sequence": 1, "tool_name": "search"}
        step = send("POST", run["id"] + "/steps", ask)
        if step["decision"]["outcome"] == "DENY":
            print("The step was denied:", step["decision"]["reason"])
            return
        started = time.monotonic()
        result = "Call your tool here"
        # For a MODEL_CALL, report prompt_tokens and completion_tokens, too.
        report = {"status": "COMPLETED", "duration_ms": round((time.monotonic() - started) * 1000)}
        send("PATCH", run["id"] + "/steps/" + step["id"], report)
        print(result)
        status = "COMPLETED"
    finally:
        send("POST", run["id"] + "/end", {"status": status})
        print("Run", run["id"], status)

run_agent("first-user")
`;
}

export function pythonDenial(given: SnippetInput): string {
  return `import json
import urllib.error
import urllib.request

${sendFunction(given)}

def cause_denial():
    start = {"user_id": "${TEST_DENIAL_USER}", "lease_seconds": 60, "limits": {"max_steps": 1}}
    run = send("POST", "", start)
    print("Run:", run["decision"])
    if run["status"] == "BLOCKED":
        return
    for sequence in (1, 2):
        ask = {"type": "TOOL_CALL", "sequence": sequence, "tool_name": "search"}
        step = send("POST", run["id"] + "/steps", ask)
        print("Step", sequence, step["decision"])
        if step["status"] == "ALLOWED":
            send("PATCH", run["id"] + "/steps/" + step["id"], {"status": "COMPLETED"})
    send("POST", run["id"] + "/end", {"status": "COMPLETED"})

cause_denial()
`;
}

function sendFunction({ url, apiKey }: SnippetInput): string {
  return `URL = "${url}/v1/runs/"
KEY = "${apiKey}"

def send(method, path, body):
    headers = {"Authorization": "Bearer " + KEY, "Content-Type": "application/json"}
    data = json.dumps(body).encode()
    request = urllib.request.Request(URL + path, data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=10) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        raise RuntimeError(f"{error.code}: {error.read().decode()}") from None`;
}
