/** What the charts of a model show. Pure. */

import type { Schemas } from '../../api/api-client.ts';
import type { ChartPart, DayBar } from '../../components/day-bar.ts';
import { formatCount, formatQuantity, formatTokens } from '../../format/count.ts';
import { formatDuration } from '../../format/time.ts';

type ModelDay = Schemas['ModelDay'];

/** Of the whole: parts of the input, then parts of the output. */
export const TOKEN_PARTS: readonly ChartPart[] = [
  { name: 'Input', color: 'var(--chart-1)' },
  { name: 'Cache read', color: 'var(--chart-2)' },
  { name: 'Cache write', color: 'var(--chart-3)' },
  { name: 'Output', color: 'var(--chart-4)' },
  { name: 'Reasoning', color: 'var(--chart-5)' },
];

/** In the order of TOKEN_PARTS: they add up to all tokens. */
export function tokenPartsOf(tokens: Omit<ModelDay, 'day'>): number[] {
  const { prompt_tokens, completion_tokens, cache_read_tokens, cache_write_tokens, reasoning_tokens } =
    tokens;
  return [
    prompt_tokens - cache_read_tokens - cache_write_tokens,
    cache_read_tokens,
    cache_write_tokens,
    completion_tokens - reasoning_tokens,
    reasoning_tokens,
  ];
}

export function toTokenBars(days: readonly ModelDay[]): DayBar[] {
  return days.map((day) => {
    const values = tokenPartsOf(day);
    return {
      day: day.day,
      values,
      texts: values.map((tokens) => (tokens > 0 ? formatTokens(tokens) : null)),
      total: formatTokens(day.prompt_tokens + day.completion_tokens),
    };
  });
}

export function toErrorBars(days: readonly ModelDay[]): DayBar[] {
  return days.map(({ day, error_rate, failed_count, completed_count }) => ({
    day,
    values: [(error_rate ?? 0) * 100],
    texts: [error_rate === null ? null : `${formatPercent(error_rate * 100)} (${formatCount(failed_count)})`],
    total: error_rate === null ? null : formatCount(failed_count + completed_count),
  }));
}

/** The 95th percentile is drawn above the median. */
export function toDurationBars(days: readonly ModelDay[]): DayBar[] {
  return days.map(({ day, p50_duration_ms: p50, p95_duration_ms: p95, completed_count }) => ({
    day,
    values: p50 === null || p95 === null ? [0, 0] : [p50, p95 - p50],
    texts: [p50, p95].map((ms) => (ms === null ? null : formatDuration(ms))),
    total: p50 === null ? null : formatQuantity(completed_count, 'call'),
  }));
}

/** "0 %", "0.4 %", "12.5 %": with few digits, but not zero unless it is. */
export function formatPercent(percent: number): string {
  if (percent === 0) return '0 %';
  if (percent < 0.1) return '<0.1 %';
  return `${Number(percent.toFixed(1))} %`;
}
