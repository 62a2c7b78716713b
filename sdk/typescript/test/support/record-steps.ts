/** A `fetch` for a client that records the bodies of its requests to start runs and steps. */

type Body = Readonly<Record<string, unknown>>;

const ESTIMATES = ['estimated_cost_usd', 'estimated_prompt_tokens', 'max_completion_tokens'];

export interface RecordedSteps {
  readonly fetch: typeof fetch;
  starts(): readonly Body[];
  /** The fields of each step that are an estimate. */
  estimates(): readonly Body[];
}

export function recordSteps(): RecordedSteps {
  const sent: { path: string; body: Body }[] = [];
  const bodiesOf = (suffix: string) =>
    sent.filter(({ path }) => path.endsWith(suffix)).map(({ body }) => body);
  return {
    fetch: (input, init) => {
      const path = new URL(String(input)).pathname;
      if (init?.method === 'POST') sent.push({ path, body: JSON.parse(String(init.body)) });
      return fetch(input, init);
    },
    starts: () => bodiesOf('/v1/runs/'),
    estimates: () =>
      bodiesOf('/steps').map((body) =>
        Object.fromEntries(Object.entries(body).filter(([name]) => ESTIMATES.includes(name))),
      ),
  };
}
