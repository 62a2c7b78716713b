import type { Schemas } from '../../api/api-client.ts';
import { formatExactUsd } from '../../format/money.ts';
import { toPerMillion } from '../../format/token-price.ts';

type ModelPrice = Schemas['ModelPrice'];

/** Describes how a price has changed since the dialog opened; null if it has not. */
export function priceConflict(opened: ModelPrice, present: ModelPrice | null): string | null {
  if (present === null) return 'The price has been deactivated.';
  const isSame =
    present.input_cost_per_token === opened.input_cost_per_token &&
    present.output_cost_per_token === opened.output_cost_per_token;
  if (isSame) return null;
  const input = perMillion(present.input_cost_per_token);
  const output = perMillion(present.output_cost_per_token);
  return `The price has changed: ${input} input, ${output} output per 1M tokens.`;
}

function perMillion(perToken: number): string {
  return formatExactUsd(Number(toPerMillion(perToken)));
}
