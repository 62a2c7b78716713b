import { expect, test } from 'vitest';
import { EventParser } from '../src/api/event-parser.ts';

const TEXT = 'retry: 2000\nevent: ready\ndata: {}\n\n:\n\nevent: change\ndata: {"topics":["runs"]}\n\n';
const EVENTS = [
  { name: 'ready', data: '{}' },
  { name: 'change', data: '{"topics":["runs"]}' },
];

test('events are the same in whatever pieces they arrive, and comments are none', () => {
  for (let size = 1; size <= TEXT.length; size += 1) {
    const parser = new EventParser();
    const events = [];
    for (let start = 0; start < TEXT.length; start += size)
      events.push(...parser.add(TEXT.slice(start, start + size)));
    expect(events, `pieces of ${size}`).toEqual(EVENTS);
  }
});

test('an event is complete with its empty line', () => {
  const parser = new EventParser();
  expect(parser.add('event: ready\ndata: {}\n')).toEqual([]);
  expect(parser.add('\n')).toEqual([{ name: 'ready', data: '{}' }]);
});

test('an endless text without events is refused', () => {
  const parser = new EventParser();
  expect(() => {
    for (let piece = 0; piece < 100; piece += 1) parser.add('x'.repeat(1_000));
  }).toThrow('no events');
});
