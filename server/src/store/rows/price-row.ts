import { attoUsdFromText } from '../../domain/money.js';
import type { ModelPrice } from '../../domain/price.js';
import { type Row, readBoolean, readText } from '../row.js';

export function toPrice(row: Row): ModelPrice {
  return {
    id: readText(row, 'id'),
    model: readText(row, 'model'),
    inputAttoUsd: attoUsdFromText(readText(row, 'input_usd')),
    outputAttoUsd: attoUsdFromText(readText(row, 'output_usd')),
    isActive: readBoolean(row, 'is_active'),
  };
}
