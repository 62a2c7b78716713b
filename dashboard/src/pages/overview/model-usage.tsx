import type { Schemas } from '../../api/api-client.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { ModelName } from '../../components/model-name.tsx';
import { KnownSpend } from '../../components/money.tsx';
import { Tokens } from '../../components/tokens.tsx';
import { formatCount } from '../../format/count.ts';
import { formatShare } from '../../format/share.ts';

type ModelCost = Schemas['DailyModelCost'];

const MODELS_SHOWN = 10;

/** The most expensive models: their tokens, and what the cache of its provider saved. */
export function ModelUsage({ models }: { models: readonly ModelCost[] }) {
  return (
    <DataTable
      label="Usage by model"
      columns={COLUMNS}
      rows={models.slice(0, MODELS_SHOWN)}
      keyOf={({ model }) => model}
    />
  );
}

const COLUMNS: readonly Column<ModelCost>[] = [
  { header: 'Model', cell: ({ model }) => <ModelName model={model} /> },
  { header: 'Input', align: 'end', wide: true, cell: (row) => <Tokens count={row.prompt_tokens} /> },
  { header: 'From cache', align: 'end', cell: (row) => <CacheShare row={row} /> },
  { header: 'Output', align: 'end', wide: true, cell: (row) => <Tokens count={row.completion_tokens} /> },
  {
    header: 'Saved by cache',
    align: 'end',
    cell: ({ cache_read_tokens, cache_write_tokens, cache_saved_usd, unpriced_tokens }) =>
      cache_read_tokens + cache_write_tokens === 0 ? (
        '–'
      ) : (
        <KnownSpend usd={cache_saved_usd} unpricedTokens={unpriced_tokens} />
      ),
  },
  {
    header: 'Spend',
    align: 'end',
    cell: ({ total_usd, unpriced_tokens }) => <KnownSpend usd={total_usd} unpricedTokens={unpriced_tokens} />,
  },
];

/** How much of the input was read from the cache. */
function CacheShare({ row: { prompt_tokens, cache_read_tokens } }: { row: ModelCost }) {
  if (prompt_tokens === 0) return '–';
  return (
    <span title={`${formatCount(cache_read_tokens)} of ${formatCount(prompt_tokens)} input tokens`}>
      {formatShare(cache_read_tokens, prompt_tokens)}
    </span>
  );
}
