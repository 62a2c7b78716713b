/** Passes an answer on as it arrives, at the pace of the client. */

import type { ServerResponse } from 'node:http';
import type { AnswerUsage } from './answer-usage.js';
import type { UpstreamAnswer } from './upstream.js';
import type { UsageHider } from './usage-hider.js';

export interface RelayOptions {
  readonly headers: string[];
  /** null: the answer is not followed. */
  readonly usage: AnswerUsage | null;
  /** null: nothing is hidden. */
  readonly hider: UsageHider | null;
  /** Called once, before the client gets the last of the answer. */
  readonly beforeLast: () => Promise<void>;
}

/** A client that reads nothing for this long is disconnected: it holds a connection to the provider. */
const STALLED_MS = 120_000;

/** Throws if the provider or the client ends the connection before the answer has passed. */
export async function relay(
  answer: UpstreamAnswer,
  response: ServerResponse,
  { headers, usage, hider, beforeLast }: RelayOptions,
): Promise<void> {
  response.writeHead(answer.status, headers);
  // The first byte of an answer may take minutes: the client sees that it has begun.
  response.flushHeaders();
  let isSettled = false;
  const settle = async () => {
    if (isSettled) return;
    isSettled = true;
    await beforeLast();
  };
  // Of an answer that is not an event stream, the last chunk waits for the report.
  const holdsBack = usage !== null && hider === null && !usage.isStream;
  let heldBack: Buffer | null = null;
  for await (const chunk of answer.body as AsyncIterable<Buffer>) {
    usage?.push(chunk);
    if (usage?.isComplete === true) await settle();
    if (holdsBack) {
      if (heldBack !== null) await write(response, heldBack);
      heldBack = chunk;
    } else await write(response, hider === null ? chunk : hider.push(chunk));
  }
  await settle();
  const rest = heldBack ?? hider?.end();
  response.end(rest);
}

async function write(response: ServerResponse, chunk: Buffer): Promise<void> {
  if (response.destroyed) throw new Error('The client has disconnected');
  if (chunk.length === 0 || response.write(chunk)) return;
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => finish(new Error('The client does not read')), STALLED_MS);
    const finish = (error?: Error) => {
      clearTimeout(timer);
      response.off('drain', finish);
      response.off('close', onClose);
      if (error === undefined) resolve();
      else reject(error);
    };
    const onClose = () => finish(new Error('The client has disconnected'));
    response.once('drain', finish);
    response.once('close', onClose);
  });
}
