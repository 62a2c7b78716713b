-- The key of a step begins with its run, which is new, and not with its workspace: what a batch of many workspaces inserts is
-- side by side, a page or two instead of one for each workspace. Every commit writes these pages.

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
  PRIMARY KEY (run_id, workspace_id, id)
) STRICT;
-- In parts: steps
INSERT INTO new_steps SELECT workspace_id, run_id, id, position, sequence, type, status, model, tool_name,
  prompt_tokens, completion_tokens, cache_read_tokens, cache_write_tokens, reasoning_tokens, cache_saved_pico_usd,
  cost_pico_usd, cost_source, price_version, hold_pico_usd, held_pico_usd, duration_ms, decision_reason, decision_rules,
  created_at, reported_at, usage_version, charged_version, report_hash, error, input_data, output_data
  FROM steps ORDER BY rowid;
DROP TABLE steps;
ALTER TABLE new_steps RENAME TO steps;
CREATE INDEX steps_with_hold ON steps (workspace_id, run_id) WHERE held_pico_usd IS NOT NULL;
CREATE INDEX steps_by_deny_reason ON steps (workspace_id, run_id, decision_reason) WHERE decision_reason IS NOT NULL;
