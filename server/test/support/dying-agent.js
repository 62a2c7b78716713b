/**
 * An agent in a process of its own, which may be killed at any moment: starts a run as soon as there is a slot, then takes steps
 * and sends heartbeats until it is told to finish. Its parent gets a message for everything that it learns.
 */

import { Agent, request } from 'node:http';

const MAX_PAUSE_BEFORE_RETRY_MS = 500;
const MAX_PAUSE_MS = 400;

const { url, apiKey, userId, leaseSeconds } = JSON.parse(process.argv[2]);
const connection = new Agent({ keepAlive: true, maxSockets: 1 });
let isFinishing = false;
process.on('message', () => {
  isFinishing = true;
});
process.on('disconnect', () => process.exit());

process.send({ kind: 'ready' });
const runPath = `/v1/runs/${await start()}`;
for (let sequence = 1, reports = []; !isFinishing; sequence += 1) {
  const step = await send('POST', `${runPath}/steps`, {
    type: 'TOOL_CALL',
    sequence,
    tool_name: 'search',
    reports,
  });
  await pause(MAX_PAUSE_MS);
  const { status, lease_expires_at } = await send('POST', `${runPath}/heartbeat`);
  process.send({ kind: 'heartbeat', status, leaseExpiresAt: lease_expires_at });
  await pause(MAX_PAUSE_MS);
  reports = [{ step_id: step.id, status: 'COMPLETED' }];
}
const { status } = await send('POST', `${runPath}/end`, { status: 'COMPLETED' });
process.send({ kind: 'ended', status }, () => process.exit());

async function start() {
  for (;;) {
    const sentAt = Date.now();
    const body = await send('POST', '/v1/runs/', { user_id: userId, lease_seconds: leaseSeconds });
    process.send({ kind: 'asked', sentAt, answeredAt: Date.now(), runId: body.id, status: body.status });
    if (body.status === 'RUNNING') return body.id;
    await pause(MAX_PAUSE_BEFORE_RETRY_MS);
  }
}

function send(method, path, body) {
  const text = body === undefined ? '' : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${apiKey}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      'content-length': Buffer.byteLength(text),
    };
    const sent = request(url + path, { method, headers, agent: connection }, async (response) => {
      let reply = '';
      for await (const chunk of response) reply += chunk;
      if (response.statusCode === 200 || response.statusCode === 201) resolve(JSON.parse(reply));
      else reject(new Error(`${method} ${path}: ${response.statusCode} ${reply}`));
    });
    sent.on('error', reject);
    sent.end(text);
  });
}

function pause(maxMs) {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * maxMs));
}
