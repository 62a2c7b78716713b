/** The OpenAI and Anthropic clients are built alike: a resource has a `create`, and all its helpers go through it. */

import { fieldOf } from '../usage/token-usage.js';
import { currentRun, type RunSource } from './run-source.js';

interface CreateBody {
  readonly model?: unknown;
}

interface ApiPromise {
  withResponse(): Promise<{ data: unknown; response: Response }>;
}

interface CreateResource {
  create(body: CreateBody, options?: unknown): ApiPromise;
}

/** What the client's own promise is made of: the response, and how to get the data from it. */
export type NewApiPromise = (response: Promise<Response>, data: () => Promise<unknown>) => ApiPromise;

/** Replaces the `create` of a resource by one that asks first. The resource must belong to a copy of the user's client. */
export function guardCreate(given: {
  resource: object;
  run: RunSource;
  newApiPromise: NewApiPromise;
  /** Changes what is sent, and what is done with the answer. */
  adapt?: (body: CreateBody) => { body: CreateBody; toCaller: (data: unknown) => unknown };
}): void {
  const { run, newApiPromise, adapt = asItIs } = given;
  // The methods are overloaded by whether they stream; here both are the same.
  const resource = given.resource as CreateResource;
  const create = resource.create.bind(resource);

  resource.create = (body, options) => {
    const settled = perform(body, options);
    const response = settled.then((answer) => answer.response);
    return newApiPromise(response, async () => (await settled).data);
  };

  async function perform(
    given: CreateBody,
    options: unknown,
  ): Promise<{ data: unknown; response: Response }> {
    const { body, toCaller } = adapt(given);
    let answered: Response | undefined;
    const data = await currentRun(run).modelCall({
      model: typeof body.model === 'string' ? body.model : null,
      signal: signalOf(options),
      call: async () => {
        const answer = await create(body, options).withResponse();
        answered = answer.response;
        return answer.data;
      },
    });
    if (answered === undefined) throw new Error('A call that returned has a response');
    return { data: toCaller(data), response: answered };
  }
}

function signalOf(options: unknown): AbortSignal | undefined {
  const signal = fieldOf(options, 'signal');
  return signal instanceof AbortSignal ? signal : undefined;
}

function asItIs(body: CreateBody) {
  return { body, toCaller: (data: unknown) => data };
}
