import { api, type Schemas, unwrap } from '../../api/api-client.ts';

type ModelPrice = Schemas['ModelPrice'];

export function putPrice(price: Omit<ModelPrice, 'id'>): Promise<ModelPrice> {
  const { model, input_cost_per_token, output_cost_per_token, is_active } = price;
  const { cache_read_cost_per_token, cache_write_cost_per_token } = price;
  return unwrap(
    api.PUT('/v1/model-pricing/{model}', {
      params: { path: { model } },
      body: {
        input_cost_per_token,
        output_cost_per_token,
        cache_read_cost_per_token,
        cache_write_cost_per_token,
        is_active,
      },
    }),
  );
}
