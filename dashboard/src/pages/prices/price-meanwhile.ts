import type { Schemas } from '../../api/api-client.ts';
import { formatExactUsd } from '../../format/money.ts';
import { toPerMillion } from '../../format/token-price.ts';

type ModelPrice = Schemas['ModelPrice'];

/** What became of a price since a dialog about it opened, in words; null: nothing. */
export function priceMeanwhile(opened: ModelPrice, present: ModelPrice | null): string | null {
  if (present === null) return 'The price was deactivated meanwhile.';
  const isSame =
    present.input_cost_per_token === opened.input_cost_per_token &&
    present.output_cost_per_token === opened.output_cost_per_token;
  if (isSame) return null;
  const input = perMillion(present.input_cost_per_token);
  const output = perMillion(present.output_cost_per_token);
  return `The price was changed meanwhile: ${input} input, ${output} output per 1M tokens.`;
}

function perMillion(perToken: number): string {
  return formatExactUsd(Number(toPerMillion(perToken)));
}
