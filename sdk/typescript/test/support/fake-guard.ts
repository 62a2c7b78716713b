/** A service on loopback that allows everything, and records the steps and reports that a client sends. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GuardedRuns, type GuardedRunsOptions } from '../../src/index.js';

export type Body = Readonly<Record<string, unknown>>;

export interface FakeGuard {
  client(options?: GuardedRunsOptions): GuardedRuns;
  /** In the order of their arrival, without repetitions. */
  readonly steps: Body[];
  readonly reports: Body[];
  /** The size of each request. */
  readonly bodyBytes: number[];
  /** Returns the detail with which the service refuses a report, or null. */
  refuse: (report: Body) => string | null;
  stop(): Promise<void>;
}

export async function startFakeGuard(): Promise<FakeGuard> {
  const steps: Body[] = [];
  const reports: Body[] = [];
  const bodyBytes: number[] = [];
  const addReport = (report: Body) => {
    if (!reports.some(({ step_id: id }) => id === report['step_id'])) reports.push(report);
  };
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    bodyBytes.push(Buffer.byteLength(text));
    const body: Body = text === '' ? {} : JSON.parse(text);
    const path = request.url ?? '';
    const stepId = /\/steps\/([^/]+)$/.exec(path)?.[1];
    const carried = stepId === undefined ? toReports(body) : [{ step_id: stepId, ...body }];
    const details = carried.map((report) => fake.refuse(report));
    const refused = details.findIndex((detail) => detail !== null);
    if (refused >= 0) {
      const place = stepId === undefined ? `body/reports/${refused}` : 'body';
      response.writeHead(422).end(JSON.stringify({ detail: `${place} ${details[refused]}` }));
      return;
    }
    carried.forEach(addReport);
    const isStep = path.endsWith('/steps');
    const { reports: _, ...step } = body;
    if (isStep) steps.push(step);
    const id = isStep ? `step-${steps.length}` : 'run-1';
    const decision = { outcome: 'ALLOW', reason: null };
    response.writeHead(200).end(JSON.stringify({ id, decision, reported: carried }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const fake: FakeGuard = {
    client: (options = {}) =>
      new GuardedRuns({
        baseUrl: `http://127.0.0.1:${port}`,
        apiKey: 'lg_fake',
        onReportError: ({ error }) => {
          throw error;
        },
        ...options,
      }),
    steps,
    reports,
    bodyBytes,
    refuse: () => null,
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return fake;
}

function toReports({ reports }: Body): Body[] {
  return Array.isArray(reports) ? reports : [];
}
