/** Prometheus metrics. Labels are routes, statuses and reasons, never workspaces, users or other values from clients. */

import type { onResponseHookHandler } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Decision } from '../domain/decision.js';
import type { EngineObserver } from '../engine/engine.js';
import type { HttpServer } from './server-types.js';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
/** Models may think for minutes. */
const UPSTREAM_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 180, 600];
const BATCH_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256];

export interface MetricSources {
  readonly queueDepth: () => number;
  readonly activeRuns: () => Promise<number>;
}

export class Metrics implements EngineObserver {
  readonly #registry = new Registry();
  readonly #requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its response',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers: [this.#registry],
  });
  readonly #decisions = new Counter({
    name: 'guarded_runs_decisions_total',
    help: 'Guardrail decisions by kind (run or step), outcome and deny reason',
    labelNames: ['kind', 'outcome', 'reason'],
    registers: [this.#registry],
  });
  readonly #batchSizes = new Histogram({
    name: 'guarded_runs_commit_batch_size',
    help: 'Commands that shared one commit',
    buckets: BATCH_SIZES,
    registers: [this.#registry],
  });

  readonly #upstream = new Histogram({
    name: 'guarded_runs_gateway_upstream_seconds',
    help: 'Time until a provider begins its answer to a call of the gateway',
    labelNames: ['provider', 'status'],
    buckets: UPSTREAM_SECONDS,
    registers: [this.#registry],
  });
  readonly #gatewayOwn = new Histogram({
    name: 'guarded_runs_gateway_own_seconds',
    help: 'Time that the gateway takes before it forwards a call: reading the request and the decisions',
    labelNames: ['provider'],
    buckets: SECONDS,
    registers: [this.#registry],
  });
  readonly #gatewayCalls = new Gauge({
    name: 'guarded_runs_gateway_calls',
    help: 'Calls of the gateway in flight, streams included',
    registers: [this.#registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.#registry });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }

  batchCommitted(size: number): void {
    this.#batchSizes.observe(size);
  }

  decided(kind: 'run' | 'step', { outcome, reason }: Decision): void {
    this.#decisions.inc({ kind, outcome, reason: reason ?? 'none' });
  }

  forwarded(call: { provider: string; status: number; upstreamMs: number; ownMs: number }): void {
    const { provider, status } = call;
    this.#upstream.observe({ provider, status }, call.upstreamMs / 1000);
    this.#gatewayOwn.observe({ provider }, call.ownMs / 1000);
  }

  callsChanged(change: 1 | -1): void {
    this.#gatewayCalls.inc(change);
  }

  /** Adds gauges whose values are read on each scrape. */
  observeSources({ queueDepth, activeRuns }: MetricSources): void {
    new Gauge({
      name: 'guarded_runs_queue_depth',
      help: 'Commands waiting for a commit in this instance',
      registers: [this.#registry],
      collect() {
        this.set(queueDepth());
      },
    });
    new Gauge({
      name: 'guarded_runs_active_runs',
      help: 'Runs that are running, in all workspaces',
      registers: [this.#registry],
      async collect() {
        // The other metrics must stay available when the store does not respond.
        this.set(await activeRuns().catch(() => Number.NaN));
      },
    });
  }

  observeStreams(count: () => number): void {
    new Gauge({
      name: 'guarded_runs_event_streams',
      help: 'Open streams of events in this instance',
      registers: [this.#registry],
      collect() {
        this.set(count());
      },
    });
  }

  observeRequests(server: HttpServer): void {
    const observe =
      (route: string): onResponseHookHandler =>
      (request, reply, done) => {
        const labels = { method: request.method, route, status: reply.statusCode };
        this.#requests.observe(labels, reply.elapsedTime / 1000);
        done();
      };
    server.addHook('onRoute', (route) => {
      route.onResponse = [...[route.onResponse ?? []].flat(), observe(route.url)];
    });
    const observeUnknown = observe('unknown');
    server.addHook('onResponse', function (request, reply, done) {
      if (request.is404) observeUnknown.call(this, request, reply, done);
      else done();
    });
  }
}
