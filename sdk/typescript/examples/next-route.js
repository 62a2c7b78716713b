// app/api/chat/route.js of Next.js: a chat whose answers are guarded. The run ends when the browser has read the answer.

import { openai } from '@ai-sdk/openai';
import { denialIn, GuardedRuns } from '@guarded-runs/sdk';
import { guardMiddleware } from '@guarded-runs/sdk/ai-sdk';
import { convertToModelMessages, streamText, wrapLanguageModel } from 'ai';

const guard = new GuardedRuns();
// One model for all requests: each call belongs to the run of its request.
const model = wrapLanguageModel({ model: openai.chat('gpt-4o'), middleware: guardMiddleware() });

export async function POST(request) {
  const { userId, messages } = await request.json();
  try {
    // On serverless platforms, add their waitUntil: import { waitUntil } from '@vercel/functions'.
    return await guard.run({ userId }, async () =>
      streamText({ model, messages: await convertToModelMessages(messages) }).toUIMessageStreamResponse(),
    );
  } catch (error) {
    const denial = denialIn(error);
    if (denial === null) throw error;
    const headers = denial.retryAfterMs === null ? {} : { 'retry-after': `${denial.retryAfterMs / 1_000}` };
    return Response.json({ reason: denial.reason }, { status: 402, headers });
  }
}
