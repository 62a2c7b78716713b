import type { ListedStep, RunKey, Store } from '../../src/store/store.js';

/** All steps of a run, over all pages; none if the run does not exist. */
export async function listAllSteps(store: Store, key: RunKey, limit = 100): Promise<ListedStep[]> {
  const isInOrderOfIds = false;
  const run = await store.runs.find(key);
  if (run === null) return [];
  const steps: ListedStep[] = [];
  let page = await store.runs.listSteps({
    ...key,
    asOf: run,
    after: null,
    limit,
    maxBytes: 1_000_000,
    isInOrderOfIds,
  });
  steps.push(...page.steps);
  while (page.next !== null) {
    page = await store.runs.listSteps({
      ...key,
      asOf: run,
      after: page.next,
      limit,
      maxBytes: 1_000_000,
      isInOrderOfIds,
    });
    steps.push(...page.steps);
  }
  return steps.map(({ inputData, outputData, ...step }) => ({
    ...step,
    inputData: toText(inputData),
    outputData: toText(outputData),
  }));
}

function toText(payload: ListedStep['inputData']): string | null {
  return payload instanceof Uint8Array ? Buffer.from(payload).toString() : payload;
}
