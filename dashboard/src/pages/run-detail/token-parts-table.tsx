import { type Column, DataTable } from '../../components/data-table.tsx';
import { Money } from '../../components/money.tsx';
import { formatCount } from '../../format/count.ts';
import type { Step } from './step-timeline.ts';
import { type PartName, type TokenPart, tokenPartsOf } from './token-parts.ts';
import classes from './token-parts-table.module.css';

const LABELS: Readonly<Record<PartName, string>> = {
  input: 'Input',
  cache_read: 'Read from the cache',
  cache_write: 'Written to the cache',
  output: 'Output',
  reported: 'Stated by the report',
  estimated: 'Estimated as a whole',
  price: 'Priced as a whole',
};

const COLUMNS: readonly Column<TokenPart>[] = [
  {
    header: 'Part',
    cell: ({ name, reasoningTokens }) => (
      <>
        {LABELS[name]}
        {reasoningTokens > 0 && (
          <span className={classes.note}> including {formatCount(reasoningTokens)} of reasoning</span>
        )}
      </>
    ),
  },
  {
    header: 'Tokens',
    align: 'end',
    cell: ({ tokens }) => (tokens === null ? '–' : formatCount(tokens)),
  },
  { header: 'Cost', align: 'end', cell: (part) => <PartCost part={part} /> },
];

/** The tokens of steps in parts, with what each part cost. */
export function TokenPartsTable({ label, steps }: { label: string; steps: readonly Step[] }) {
  const parts = tokenPartsOf(steps);
  return parts.length === 0 ? null : (
    <div className={classes.table}>
      <DataTable label={label} columns={COLUMNS} rows={parts} keyOf={({ name }) => name} />
    </div>
  );
}

/** Tokens without a cost of their own are named beside the cost of the others, so that it is not taken for that of all. */
function PartCost({ part: { usd, tokens, uncostedTokens } }: { part: TokenPart }) {
  if (usd === null) return '–';
  return (
    <>
      <Money usd={usd} />
      {uncostedTokens > 0 && tokens !== null && (
        <div className={classes.note}>for {formatCount(tokens - uncostedTokens)}</div>
      )}
    </>
  );
}
