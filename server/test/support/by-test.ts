import type { Origin } from '../../src/domain/audit.js';

/** For changes that a test makes through the store. */
export const BY_TEST: Origin = {
  actor: { type: 'system', id: null, label: 'test' },
  requestId: null,
  ipAddress: null,
};
