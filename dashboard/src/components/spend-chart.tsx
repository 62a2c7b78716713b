import { OTHER_MODELS, type SpendSeries } from '../api/daily-series.ts';
import { formatAxisUsd, formatUsd } from '../format/money.ts';
import { DayChart } from './day-chart.tsx';

const COLOURS = ['var(--chart-1)', 'var(--chart-2)', 'var(--chart-3)', 'var(--chart-4)', 'var(--chart-5)'];
const OTHER_COLOUR = 'var(--chart-6)';

interface SpendChartProps {
  readonly series: SpendSeries;
  /** null: no budget is set. */
  readonly budgetUsd: number | null;
}

/** Spend per day by model, with the daily budget. */
export function SpendChart({ series: { models, rows }, budgetUsd }: SpendChartProps) {
  return (
    <DayChart
      label="Spend per day"
      parts={models.map((name, index) => ({
        name,
        color: name === OTHER_MODELS ? OTHER_COLOUR : (COLOURS[index] ?? OTHER_COLOUR),
      }))}
      bars={rows.map(({ day, totalUsd, usdByModel }) => ({
        day,
        values: usdByModel,
        texts: usdByModel.map((usd) => (usd > 0 ? formatUsd(usd) : null)),
        total: formatUsd(totalUsd),
      }))}
      formatAxis={formatAxisUsd}
      limit={
        budgetUsd === null ? null : { value: budgetUsd, name: 'Daily budget', text: formatUsd(budgetUsd) }
      }
    />
  );
}
