import { expect } from 'vitest';
import type { TestService } from './test-service.js';

/** Recomputes every counter of the service from its runs and steps. */
export async function expectExactCounters(service: TestService): Promise<void> {
  const { counted, differences } = await service.app.store.maintenance.verify();
  expect(differences).toEqual([]);
  expect(Object.values(counted).some((count) => count > 0)).toBe(true);
}
