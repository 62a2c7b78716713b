-- The parts of the tokens of a step, and what they cost. A price keeps all its versions, and a step the version that it was
-- priced with, so that its cost can be explained and computed again. Steps of earlier versions keep their costs, without one.
--
-- report_hash tells whether a report is repeated, without reading output_data. cache_saved_pico_usd is what the cache saved
-- against the input price.

ALTER TABLE workspaces ADD COLUMN deny_unpriced_models boolean NOT NULL DEFAULT false;

ALTER TABLE model_prices ADD COLUMN cache_read_usd text;
ALTER TABLE model_prices ADD COLUMN cache_write_usd text;
ALTER TABLE model_prices ADD COLUMN version bigint NOT NULL DEFAULT 1;
CREATE TABLE model_price_versions (
  workspace_id    uuid NOT NULL REFERENCES workspaces (id),
  model           text COLLATE "C" NOT NULL,
  version         bigint NOT NULL,
  input_usd       text NOT NULL,
  output_usd      text NOT NULL,
  cache_read_usd  text,
  cache_write_usd text,
  created_at      bigint NOT NULL,
  PRIMARY KEY (workspace_id, model, version)
);
INSERT INTO model_price_versions
  SELECT workspace_id, model, 1, input_usd, output_usd, NULL, NULL, floor(extract(epoch FROM now())) * 1000
  FROM model_prices;

ALTER TABLE model_days ADD COLUMN cache_read_tokens bigint NOT NULL DEFAULT 0;
ALTER TABLE model_days ADD COLUMN cache_write_tokens bigint NOT NULL DEFAULT 0;
ALTER TABLE model_days ADD COLUMN reasoning_tokens bigint NOT NULL DEFAULT 0;
ALTER TABLE model_days ADD COLUMN cache_saved_pico_usd bigint NOT NULL DEFAULT 0;

ALTER TABLE steps ADD COLUMN cache_read_tokens bigint;
ALTER TABLE steps ADD COLUMN cache_write_tokens bigint;
ALTER TABLE steps ADD COLUMN reasoning_tokens bigint;
ALTER TABLE steps ADD COLUMN cache_saved_pico_usd bigint;
ALTER TABLE steps ADD COLUMN price_version bigint;
ALTER TABLE steps ADD COLUMN report_hash text COLLATE "C";
ALTER TABLE steps ADD COLUMN error text;
ALTER TABLE steps ADD COLUMN output_data text;
