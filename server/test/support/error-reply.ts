import { expect } from 'vitest';

/** The shape of every refusal: one string called detail and nothing else, with the id of the request. */
export function expectError(
  reply: { status: number; headers: Headers; text: string },
  status: number,
  detail: unknown = expect.any(String),
): void {
  expect({ status: reply.status, text: reply.text }).toEqual({
    status,
    text: expect.stringMatching(/^\{"detail":".+"\}$/s),
  });
  expect(JSON.parse(reply.text)).toEqual({ detail });
  expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(reply.headers.get('x-request-id')).toMatch(/^[\w.-]{1,128}$/);
}
