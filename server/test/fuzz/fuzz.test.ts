/** Nothing a client sends may cause a 500, an undocumented status, or a reply that breaks its own schema. */

import { Agent, request as httpRequest } from 'node:http';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SeededRandom } from '../../src/cli/seeded-random.js';
import { openApiDocument } from '../../src/http/openapi.js';
import { campaignSeed, campaignSize } from '../support/campaign.js';
import { startTestService, type TestService } from '../support/test-service.js';
import {
  type FuzzRequest,
  HOSTILE_TEXTS,
  type Operation,
  type Parameter,
  RequestGenerator,
  type Schema,
} from './request-generator.js';

const REQUESTS = campaignSize({ short: 5_000, full: 200_000 });
const PARALLEL = 8;

/** Refusals that can come before a route is even chosen. */
const STATUSES_OF_EVERY_PATH = [400, 404, 405, 417, 431];

/** Hashing passwords is slow by design: these are sent less often. */
const SLOW_OPERATIONS = new Set(['/v1/auth/register', '/v1/auth/login', '/v1/auth/change-password']);

let service: TestService;
const agent = new Agent({ keepAlive: true, maxSockets: PARALLEL });
beforeAll(async () => {
  service = await startTestService({ DEFAULT_PLAN: 'enterprise', LOG_LEVEL: 'error' });
});
afterAll(async () => {
  agent.destroy();
  await service.stop();
});

interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface OpenApiOperation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >;
}

test('no generated request gets a 5xx, an undocumented status or a reply that breaks its schema', async () => {
  const random = new SeededRandom(campaignSeed('fuzz'));
  const document = openApiDocument(service.app.server) as unknown as OpenApiDocument;
  const operations = toOperations(document);
  const generator = new RequestGenerator(random, document.components.schemas);
  const validators = new ReplyValidators(document);
  const tenant = await service.register();
  const other = await service.register();
  const credentials = [
    tenant.apiKey,
    tenant.apiKey,
    tenant.token,
    tenant.token,
    other.apiKey,
    null,
    'lg_x_y',
    'a.b.c',
  ];

  const problems: string[] = [];
  const worker = async (count: number) => {
    for (let index = 0; index < count && problems.length < 5; index += 1) {
      const operation = random.pick(operations);
      if (SLOW_OPERATIONS.has(operation.path) && random.next() < 0.97) continue;
      // A regenerated or revoked key would end the fun for everyone.
      if (operation.path.includes('regenerate') || operation.method === 'DELETE') continue;
      const sent = generator.request(operation, credentials);
      const reply = await send(sent);
      const problem = validators.problemOf(operation, reply);
      if (problem !== null)
        problems.push(`${describe(sent)}\n→ ${reply.status} ${reply.text.slice(0, 300)}\n${problem}`);
      rememberIds(generator, reply.text);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, () => worker(Math.ceil(REQUESTS / PARALLEL))));
  expect(problems.join('\n\n')).toBe('');
  expect((await service.app.store.maintenance.verify()).differences).toEqual([]);
}, 3_600_000);

test('hostile text that is accepted is stored and shown literally', async () => {
  const { machine, person } = await service.register();
  const texts = HOSTILE_TEXTS.filter(
    (text) => text !== '' && text.isWellFormed() && !text.includes('\0') && [...text].length <= 255,
  );
  for (const text of texts) {
    const run = await machine.post('/v1/runs/', {
      user_id: text,
      metadata: { [text]: [text, { nested: text }] },
    });
    expect(run.status).toBe(201);
    await machine.post(`/v1/runs/${run.body.id}/steps`, {
      type: 'TOOL_CALL',
      sequence: 1,
      model: text,
      tool_name: text,
      input_data: { text },
    });
    const detail = await person.get(`/v1/runs/${run.body.id}`);
    expect(detail.body).toMatchObject({
      user_id: text,
      metadata: JSON.parse(JSON.stringify({ [text]: [text, { nested: text }] })),
    });
    expect(detail.body.steps[0]).toMatchObject({ model: text, tool_name: text, input_data: { text } });
    const list = await person.get(`/v1/runs/?user_id=${encodeURIComponent(text)}`);
    expect(list.body.items.map(({ id }: { id: string }) => id)).toEqual([run.body.id]);
    expect((await person.post('/v1/api-keys/', { label: text })).body.label).toBe(text);
    await machine.post(`/v1/runs/${run.body.id}/end`, { status: 'COMPLETED' });
  }
});

interface Reply {
  readonly status: number;
  readonly text: string;
}

function send({ method, path, headers, body }: FuzzRequest): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      `${service.url}${path}`,
      { method, agent, headers: { ...headers, ...(body === null ? {} : { 'content-length': body.length }) } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body ?? undefined);
  });
}

class ReplyValidators {
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false });
  readonly #compiled = new Map<string, ValidateFunction>();
  readonly #components: Readonly<Record<string, Schema>>;

  constructor(document: OpenApiDocument) {
    this.#components = document.components.schemas;
  }

  problemOf(operation: Operation, { status, text }: Reply): string | null {
    if (status >= 500) return 'a client must not be able to cause this';
    const schema = operation.replies[status];
    if (schema === undefined) {
      if (!STATUSES_OF_EVERY_PATH.includes(status)) return 'this status is not documented';
      return /^\{"detail":"[^"]/.test(text) ? null : 'an error must be {"detail": "…"}';
    }
    if (schema === null) return text === '' ? null : 'this reply must be empty';
    if (schema.type === 'string') return null;
    const validate = this.#validator(`${operation.method} ${operation.path} ${status}`, schema);
    return validate(JSON.parse(text)) ? null : JSON.stringify(validate.errors);
  }

  #validator(name: string, schema: Schema): ValidateFunction {
    const known = this.#compiled.get(name);
    if (known !== undefined) return known;
    const compiled = this.#ajv.compile({ ...schema, components: { schemas: this.#components } });
    this.#compiled.set(name, compiled);
    return compiled;
  }
}

function toOperations(document: OpenApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      parameters: operation.parameters ?? [],
      body: operation.requestBody?.content['application/json']?.schema ?? null,
      replies: Object.fromEntries(
        Object.entries(operation.responses).map(([status, { content }]) => [
          status,
          content === undefined ? null : (Object.values(content)[0]?.schema ?? null),
        ]),
      ),
    })),
  );
}

/** What exists makes later requests reach further. */
function rememberIds(generator: RequestGenerator, text: string): void {
  for (const id of text
    .slice(0, 2_000)
    .match(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g) ?? []) {
    if (generator.known.length < 500) generator.known.push(id);
    else generator.known[Math.floor(generator.known.length * 0.5)] = id;
  }
}

function describe({ method, path, headers, body }: FuzzRequest): string {
  return `${method} ${path.slice(0, 300)}\n${JSON.stringify({ ...headers, authorization: undefined })}\n${body?.toString().slice(0, 600) ?? ''}`;
}
