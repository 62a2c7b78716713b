/** Runs and steps are spans of OpenTelemetry, with the real packages. */

import { context, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type GuardFixture, MODEL, startGuard } from './support/guard-fixture.js';

const CHAT = { usage: { prompt_tokens: 11, completion_tokens: 7 } };

const exporter = new InMemorySpanExporter();
let fixture: GuardFixture;
beforeAll(async () => {
  fixture = await startGuard();
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
  );
});
afterEach(() => exporter.reset());
afterAll(async () => {
  trace.disable();
  context.disable();
  await fixture.stop();
});

/** The names of the spans from the outermost to this one. */
function pathOf(span: ReadableSpan, spans: readonly ReadableSpan[]): string {
  const parent = spans.find((other) => other.spanContext().spanId === span.parentSpanContext?.spanId);
  return parent === undefined ? span.name : `${pathOf(parent, spans)} > ${span.name}`;
}

async function finished(count: number): Promise<readonly ReadableSpan[]> {
  await expect.poll(() => exporter.getFinishedSpans()).toHaveLength(count);
  return exporter.getFinishedSpans();
}

test('a run is a span with its steps, which contain what their calls do', async () => {
  const tracer = trace.getTracer('of the application');
  await fixture.guard.run({ userId: 'traced' }, async (run) => {
    await run.modelCall({
      model: MODEL,
      call: () =>
        tracer.startActiveSpan('POST /v1/chat/completions', (span) => {
          span.end();
          return CHAT;
        }),
    });
    await run.toolCall({ name: 'search', call: () => null });
  });
  const spans = await finished(4);
  expect(spans.map((span) => pathOf(span, spans)).sort()).toEqual([
    'invoke_agent',
    `invoke_agent > chat ${MODEL}`,
    `invoke_agent > chat ${MODEL} > POST /v1/chat/completions`,
    'invoke_agent > execute_tool search',
  ]);
  const { id, steps } = await fixture.runOf('traced');
  expect(spans.find(({ name }) => name.startsWith('chat'))?.attributes).toEqual({
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': MODEL,
    'gen_ai.usage.input_tokens': 11,
    'gen_ai.usage.output_tokens': 7,
    'guarded_runs.run_id': id,
    'guarded_runs.step_id': steps[0]?.id,
    'guarded_runs.decision': 'ALLOW',
  });
  expect(spans.find(({ name }) => name === 'invoke_agent')?.attributes).toEqual({
    'gen_ai.operation.name': 'invoke_agent',
    'guarded_runs.run_id': id,
    'guarded_runs.user_id': 'traced',
  });
});

test('a denial is a span with its reason', async () => {
  const outcome = fixture.guard.run({ userId: 'untraced' }, async (run) => {
    await fixture.guard.users.block('untraced');
    await run.modelCall({ model: MODEL, call: () => CHAT });
  });
  await expect(outcome).rejects.toThrow();
  const spans = await finished(2);
  const denied = spans.find(({ name }) => name.startsWith('chat'));
  expect(denied?.attributes).toMatchObject({
    'guarded_runs.decision': 'DENY',
    'guarded_runs.reason': 'USER_BLOCKED',
  });
  expect(spans.map(({ status }) => status.code)).toEqual([SpanStatusCode.ERROR, SpanStatusCode.ERROR]);
});

test('a stream is a span until it has been read', async () => {
  async function* generate() {
    yield CHAT;
  }
  const run = await fixture.guard.start({ userId: 'streaming' });
  const stream = await run.modelCall({ model: MODEL, call: generate });
  expect(exporter.getFinishedSpans()).toEqual([]);
  for await (const _ of stream);
  const [span] = await finished(1);
  expect(span?.attributes['gen_ai.usage.input_tokens']).toBe(11);
  await run.end();
});
