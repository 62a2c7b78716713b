"""Calls of the Python SDKs, as JSON lines: a name and what the SDK returned. The same with the gateway and without it."""

import json
import os

import anthropic
import openai

MODEL = os.environ["MODEL"]
USER = [{"role": "user", "content": "Hi"}]

openai_client = openai.OpenAI(api_key=os.environ["OPENAI_KEY"], base_url=os.environ["OPENAI_URL"])
anthropic_client = anthropic.Anthropic(
    api_key=os.environ["ANTHROPIC_KEY"], base_url=os.environ["ANTHROPIC_URL"]
)


def show(name, value):
    print(json.dumps({"name": name, "value": value}), flush=True)


def dumped(item):
    return item.model_dump(mode="json") if hasattr(item, "model_dump") else item


def attempt(name, work):
    try:
        show(name, work())
    except (openai.APIError, anthropic.APIError) as error:
        status = getattr(error, "status_code", None)
        show(name, [type(error).__name__, status, getattr(error, "code", None)])


chat = openai_client.chat.completions
attempt("chat", lambda: dumped(chat.create(model=MODEL, messages=USER)))
attempt("chat, streamed", lambda: [dumped(c) for c in chat.create(model=MODEL, messages=USER, stream=True)])
attempt(
    "chat, streamed with usage",
    lambda: [
        dumped(c)
        for c in chat.create(model=MODEL, messages=USER, stream=True, stream_options={"include_usage": True})
    ],
)
attempt(
    "chat with tools",
    lambda: dumped(
        chat.create(
            model=MODEL,
            messages=USER,
            tools=[{"type": "function", "function": {"name": "add", "parameters": {"type": "object"}}}],
        )
    ),
)
attempt(
    "raw response",
    lambda: chat.with_raw_response.create(model=MODEL, messages=USER).headers["openai-processing-ms"],
)
attempt("responses", lambda: dumped(openai_client.responses.create(model=MODEL, input="Hi")))
attempt(
    "responses, streamed",
    lambda: [dumped(e) for e in openai_client.responses.create(model=MODEL, input="Hi", stream=True)],
)
attempt("embeddings", lambda: dumped(openai_client.embeddings.create(model=MODEL, input="Hi")))
attempt("models", lambda: [dumped(m) for m in openai_client.models.list()])
attempt(
    "refused by the provider",
    lambda: dumped(chat.create(model=MODEL, messages=USER, extra_headers={"x-stand-in": '{"status":422}'})),
)

messages = anthropic_client.messages
attempt("messages", lambda: dumped(messages.create(model=MODEL, max_tokens=9, messages=USER)))
attempt(
    "messages, streamed",
    lambda: [dumped(e) for e in messages.create(model=MODEL, max_tokens=9, messages=USER, stream=True)],
)


def final_message():
    with messages.stream(model=MODEL, max_tokens=9, messages=USER) as stream:
        return dumped(stream.get_final_message())


attempt("messages, as a message stream", final_message)
attempt("counted tokens", lambda: dumped(messages.count_tokens(model=MODEL, messages=USER)))

if os.environ.get("BLOCKED_USER"):
    blocked = {"x-guarded-user": os.environ["BLOCKED_USER"]}
    attempt("denied chat", lambda: dumped(chat.create(model=MODEL, messages=USER, extra_headers=blocked)))
    attempt(
        "denied message",
        lambda: dumped(messages.create(model=MODEL, max_tokens=9, messages=USER, extra_headers=blocked)),
    )
