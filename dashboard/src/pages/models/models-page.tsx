import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../api/api-client.ts';
import { toUnpricedUsage } from '../../api/daily-series.ts';
import { dailyUsageQuery, usageSummaryQuery } from '../../api/queries.ts';
import type { Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { ModelName } from '../../components/model-name.tsx';
import { Money } from '../../components/money.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryTable } from '../../components/query-table.tsx';
import { Spend } from '../../components/spend.tsx';
import { Surface } from '../../components/surface.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { Tokens } from '../../components/tokens.tsx';
import { formatQuantity } from '../../format/count.ts';

interface Row extends Omit<Schemas['ModelCost'], 'model'> {
  /** null: the sum of the other models. */
  readonly model: string | null;
  readonly label: string;
  readonly unpricedTokens: number;
}

export function ModelsPage() {
  const summary = useQuery(usageSummaryQuery);
  const { data: days } = useQuery(dailyUsageQuery);
  const unpriced = new Map(
    days === undefined ? [] : toUnpricedUsage(days).models.map(({ model, tokens }) => [model, tokens]),
  );
  return (
    <>
      <PageHeader
        title="Models"
        description={
          <>
            Every model that your agents used in the last 30 days (UTC), most expensive first.{' '}
            <TextLink href="/prices">Prices</TextLink>
          </>
        }
      />
      <QueryTable
        label="Models"
        query={summary}
        columns={COLUMNS}
        rows={summary.data === undefined ? undefined : toRows(summary.data, unpriced)}
        keyOf={({ label }) => label}
        skeletonRows={6}
        frame={Surface}
        errorClass="stack-item"
        empty={
          <EmptyState
            icon="models"
            title="No models yet"
            action={<LinkButton href="/setup">Connect an agent</LinkButton>}
          >
            Models appear here when steps report their tokens.
          </EmptyState>
        }
      />
    </>
  );
}

function toRows(summary: Schemas['UsageSummary'], unpriced: ReadonlyMap<string, number>): Row[] {
  const rows: Row[] = summary.by_model.map((row) => ({
    ...row,
    label: row.model,
    unpricedTokens: unpriced.get(row.model) ?? 0,
  }));
  const { other_models: others } = summary;
  if (others !== undefined) {
    const label = formatQuantity(others.model_count, 'other model');
    rows.push({ ...others, model: null, label, unpricedTokens: others.unpriced_tokens });
  }
  return rows;
}

const COLUMNS: readonly Column<Row>[] = [
  {
    header: 'Model',
    cell: ({ model, label }) => (model === null ? label : <ModelName model={model} />),
  },
  { header: 'Input', align: 'end', wide: true, cell: (row) => <Tokens count={row.prompt_tokens} /> },
  { header: 'Output', align: 'end', wide: true, cell: (row) => <Tokens count={row.completion_tokens} /> },
  {
    header: 'Saved by cache',
    align: 'end',
    wide: true,
    cell: ({ cache_read_tokens, cache_write_tokens, cache_saved_usd }) =>
      cache_read_tokens + cache_write_tokens === 0 ? '–' : <Money usd={cache_saved_usd} />,
  },
  {
    header: 'Spend',
    align: 'end',
    cell: ({ total_usd, unpricedTokens }) => <Spend usd={total_usd} unpricedTokens={unpricedTokens} />,
  },
];
