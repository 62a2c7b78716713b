-- Payloads come last in their rows: SQLite reads a row from its start, and a large value in the middle would be read for
-- every column behind it. usage_version says which state of a run's totals a step's report belongs to, so that a run is read
-- page by page and its totals still are the sum of its steps.

CREATE TABLE new_runs (
  workspace_id        TEXT NOT NULL,
  id                  TEXT NOT NULL,
  position            INTEGER NOT NULL,
  user_id             TEXT NOT NULL,
  status              TEXT NOT NULL,
  started_at          INTEGER NOT NULL,
  ended_at            INTEGER,
  step_count          INTEGER NOT NULL,
  total_tokens        INTEGER NOT NULL,
  total_cost_pico_usd INTEGER NOT NULL,
  usage_version       INTEGER NOT NULL,
  decision_reason     TEXT,
  decision_rules      TEXT NOT NULL,
  metadata            TEXT,
  PRIMARY KEY (workspace_id, id)
) STRICT;
INSERT INTO new_runs SELECT workspace_id, id, position, user_id, status, started_at, ended_at, step_count, total_tokens,
  total_cost_pico_usd, 0, decision_reason, decision_rules, metadata FROM runs ORDER BY rowid;
DROP TABLE runs;
ALTER TABLE new_runs RENAME TO runs;
CREATE UNIQUE INDEX runs_by_position ON runs (workspace_id, position);
CREATE INDEX runs_by_status ON runs (workspace_id, status, position);
CREATE INDEX runs_by_user ON runs (workspace_id, user_id, position);
CREATE INDEX runs_by_user_and_status ON runs (workspace_id, user_id, status, position);

CREATE TABLE new_steps (
  workspace_id      TEXT NOT NULL,
  run_id            TEXT NOT NULL,
  id                TEXT NOT NULL,
  position          INTEGER NOT NULL,
  sequence          INTEGER NOT NULL,
  type              TEXT NOT NULL,
  status            TEXT NOT NULL,
  model             TEXT,
  tool_name         TEXT,
  prompt_tokens     INTEGER,
  completion_tokens INTEGER,
  cost_pico_usd     INTEGER,
  duration_ms       INTEGER,
  decision_reason   TEXT,
  decision_rules    TEXT NOT NULL,
  created_at        INTEGER NOT NULL,
  reported_at       INTEGER,
  usage_version     INTEGER,
  input_data        TEXT,
  PRIMARY KEY (workspace_id, run_id, id)
) STRICT;
INSERT INTO new_steps SELECT workspace_id, run_id, id, position, sequence, type, status, model, tool_name, prompt_tokens,
  completion_tokens, cost_pico_usd, duration_ms, decision_reason, decision_rules, created_at, reported_at, NULL, input_data
  FROM steps ORDER BY rowid;
DROP TABLE steps;
ALTER TABLE new_steps RENAME TO steps;

-- The same condition as on PostgreSQL, so that one statement uses both.
DROP INDEX users_blocked;
CREATE INDEX users_blocked ON users (workspace_id, last_seen_at DESC, user_id) WHERE blocked;
