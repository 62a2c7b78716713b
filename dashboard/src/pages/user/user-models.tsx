import type { Schemas } from '../../api/api-client.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { ModelName } from '../../components/model-name.tsx';
import { Spend } from '../../components/spend.tsx';
import { Tokens } from '../../components/tokens.tsx';
import { formatCount, formatQuantity } from '../../format/count.ts';

type UserModel = Schemas['UserModel'];
type Row = Omit<UserModel, 'model'> & { readonly model: string | null; readonly label: string };

export function UserModels({ user: { by_model, other_models } }: { user: Schemas['UserDetail'] }) {
  const rows: Row[] = by_model.map((row) => ({ ...row, label: row.model }));
  if (other_models !== undefined) {
    const label = formatQuantity(other_models.model_count, 'other model');
    rows.push({ ...other_models, model: null, label });
  }
  return <DataTable label="Models" columns={COLUMNS} rows={rows} keyOf={({ label }) => label} />;
}

const COLUMNS: readonly Column<Row>[] = [
  {
    header: 'Model',
    cell: ({ model, label }) => (model === null ? label : <ModelName model={model} />),
  },
  { header: 'Calls', align: 'end', wide: true, cell: ({ call_count }) => formatCount(call_count) },
  { header: 'Input', align: 'end', wide: true, cell: (row) => <Tokens count={row.prompt_tokens} /> },
  { header: 'Output', align: 'end', wide: true, cell: (row) => <Tokens count={row.completion_tokens} /> },
  {
    header: 'Spend',
    align: 'end',
    cell: ({ total_usd, unpriced_tokens }) => <Spend usd={total_usd} unpricedTokens={unpriced_tokens} />,
  },
];
