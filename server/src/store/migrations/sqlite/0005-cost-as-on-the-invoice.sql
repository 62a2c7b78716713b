-- The parts of the tokens of a step, and what they cost. A price keeps all its versions, and a step the version that it was
-- priced with, so that its cost can be explained and computed again. Steps of earlier versions keep their costs, without one.
--
-- report_hash tells whether a report is repeated, without reading output_data. cache_saved_pico_usd is what the cache saved
-- against the input price.

ALTER TABLE workspaces ADD COLUMN deny_unpriced_models INTEGER NOT NULL DEFAULT 0;

ALTER TABLE model_prices ADD COLUMN cache_read_usd TEXT;
ALTER TABLE model_prices ADD COLUMN cache_write_usd TEXT;
ALTER TABLE model_prices ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
CREATE TABLE model_price_versions (
  workspace_id    TEXT NOT NULL REFERENCES workspaces (id),
  model           TEXT NOT NULL,
  version         INTEGER NOT NULL,
  input_usd       TEXT NOT NULL,
  output_usd      TEXT NOT NULL,
  cache_read_usd  TEXT,
  cache_write_usd TEXT,
  created_at      INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, model, version)
) STRICT, WITHOUT ROWID;
INSERT INTO model_price_versions
  SELECT workspace_id, model, 1, input_usd, output_usd, NULL, NULL, unixepoch() * 1000 FROM model_prices;

ALTER TABLE model_days ADD COLUMN cache_read_tokens INTEGER NOT NULL DEFAULT 0;
ALTER TABLE model_days ADD COLUMN cache_write_tokens INTEGER NOT NULL DEFAULT 0;
ALTER TABLE model_days ADD COLUMN reasoning_tokens INTEGER NOT NULL DEFAULT 0;
ALTER TABLE model_days ADD COLUMN cache_saved_pico_usd INTEGER NOT NULL DEFAULT 0;

CREATE TABLE new_steps (
  workspace_id         TEXT NOT NULL,
  run_id               TEXT NOT NULL,
  id                   TEXT NOT NULL,
  position             INTEGER NOT NULL,
  sequence             INTEGER NOT NULL,
  type                 TEXT NOT NULL,
  status               TEXT NOT NULL,
  model                TEXT,
  tool_name            TEXT,
  prompt_tokens        INTEGER,
  completion_tokens    INTEGER,
  cache_read_tokens    INTEGER,
  cache_write_tokens   INTEGER,
  reasoning_tokens     INTEGER,
  cache_saved_pico_usd INTEGER,
  cost_pico_usd        INTEGER,
  cost_source          TEXT,
  price_version        INTEGER,
  hold_pico_usd        INTEGER,
  held_pico_usd        INTEGER,
  duration_ms          INTEGER,
  decision_reason      TEXT,
  decision_rules       TEXT NOT NULL,
  created_at           INTEGER NOT NULL,
  reported_at          INTEGER,
  usage_version        INTEGER,
  charged_version      INTEGER,
  report_hash          TEXT,
  error                TEXT,
  input_data           TEXT,
  output_data          TEXT,
  PRIMARY KEY (workspace_id, run_id, id)
) STRICT;
-- In parts: steps
INSERT INTO new_steps SELECT workspace_id, run_id, id, position, sequence, type, status, model, tool_name, prompt_tokens,
  completion_tokens, NULL, NULL, NULL, NULL, cost_pico_usd, cost_source, NULL, hold_pico_usd, held_pico_usd, duration_ms,
  decision_reason, decision_rules, created_at, reported_at, usage_version, charged_version, NULL, NULL, input_data, NULL
  FROM steps ORDER BY rowid;
DROP TABLE steps;
ALTER TABLE new_steps RENAME TO steps;
CREATE INDEX steps_with_hold ON steps (workspace_id, run_id) WHERE held_pico_usd IS NOT NULL;
