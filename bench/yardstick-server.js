/**
 * The bare framework: the four routes of the data plane with the same schemas for validation and serialisation. It stores
 * nothing and answers constants, without authentication, log, metrics or additional headers.
 */

import { fastify } from 'fastify';
import { IdempotencyHeaders } from '../server/dist/http/idempotency-key.js';
import { EndedRun, EndRunBody, StartedRun, StartRunBody } from '../server/dist/http/routes/runs.js';
import {
  CreatedStep,
  CreateStepBody,
  RunParameters,
  StepParameters,
  StepReportBody,
  UpdatedStep,
} from '../server/dist/http/routes/steps.js';
import { validateRequests } from '../server/dist/http/validation.js';

const ID = '01900000-0000-7000-8000-000000000000';
const ALLOW = { outcome: 'ALLOW', reason: null };

const headers = IdempotencyHeaders;
const server = fastify();
validateRequests(server);
server.post(
  '/v1/runs/',
  { schema: { headers, body: StartRunBody, response: { 201: StartedRun } } },
  async (_request, reply) => reply.code(201).send({ id: ID, status: 'RUNNING', decision: ALLOW }),
);
server.post(
  '/v1/runs/:run_id/steps',
  { schema: { params: RunParameters, headers, body: CreateStepBody, response: { 201: CreatedStep } } },
  async (_request, reply) => reply.code(201).send({ id: ID, status: 'ALLOWED', decision: ALLOW }),
);
server.patch(
  '/v1/runs/:run_id/steps/:step_id',
  { schema: { params: StepParameters, headers, body: StepReportBody, response: { 200: UpdatedStep } } },
  async () => ({ id: ID, status: 'COMPLETED' }),
);
server.post(
  '/v1/runs/:run_id/end',
  { schema: { params: RunParameters, headers, body: EndRunBody, response: { 200: EndedRun } } },
  async () => ({ id: ID, status: 'COMPLETED', ended_at: '2026-01-01T00:00:00.000Z' }),
);

process.stdout.write(`${await server.listen({ port: 0, host: '127.0.0.1' })}\n`);
