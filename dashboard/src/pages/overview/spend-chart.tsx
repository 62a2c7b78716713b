/** A separate chunk with the chart library, loaded after the rest of the page. */

import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import { OTHER_MODELS, type SpendRow, type SpendSeries } from '../../api/daily-series.ts';
import { type Column, HiddenTable } from '../../components/data-table.tsx';
import { formatAxisUsd, formatUsd } from '../../format/money.ts';
import { formatUtcDay } from '../../format/time.ts';
import classes from './spend-chart.module.css';

const COLOURS = ['var(--chart-1)', 'var(--chart-2)', 'var(--chart-3)', 'var(--chart-4)', 'var(--chart-5)'];
const OTHER_COLOUR = 'var(--chart-6)';

const COLUMNS: readonly Column<SpendRow>[] = [
  { header: 'Day (UTC)', isRowHeader: true, cell: ({ day }) => day },
  { header: 'Spend', cell: ({ totalUsd }) => formatUsd(totalUsd) },
];

export function SpendChart({ series }: { series: SpendSeries }) {
  // Models are numbered because the chart library interprets a dot in a name as a path.
  const data = series.rows.map(({ day, usdByModel }) => ({
    day: formatUtcDay(day),
    ...Object.fromEntries(usdByModel.map((usd, index) => [`m${index}`, usd])),
  }));
  const bars = series.models.map((model, index) => ({
    name: `m${index}`,
    label: model,
    color: model === OTHER_MODELS ? OTHER_COLOUR : (COLOURS[index] ?? OTHER_COLOUR),
  }));
  return (
    <figure className={classes.figure}>
      <div aria-hidden="true">
        <BarChart
          h={236}
          data={data}
          dataKey="day"
          type="stacked"
          series={bars}
          valueFormatter={formatUsd}
          maxBarWidth={22}
          gridAxis="x"
          tickLine="none"
          strokeDasharray="2 4"
          xAxisProps={{ minTickGap: 36, tickMargin: 8 }}
          yAxisProps={{ width: 46, tickFormatter: formatAxisUsd, tickCount: 4 }}
          barChartProps={{ accessibilityLayer: false, margin: { top: 6, right: 0, bottom: 0, left: 0 } }}
          barProps={{ isAnimationActive: false }}
          cursorFill="var(--surface-sunken)"
          tooltipAnimationDuration={0}
        />
      </div>
      <figcaption>
        <ul className={classes.legend}>
          {bars.map(({ name, label, color }) => (
            <li key={name}>
              <span className={classes.swatch} style={{ background: color }} />
              {label}
            </li>
          ))}
        </ul>
      </figcaption>
      <HiddenTable label="Spend per day" columns={COLUMNS} rows={series.rows} keyOf={({ day }) => day} />
    </figure>
  );
}
