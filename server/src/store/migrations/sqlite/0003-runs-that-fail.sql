-- A run ends when its lease does. due_at is when to look at the lease again: no later than lease_expires_at, but moved on only
-- when it is reached, so that a renewal changes no index. next_due_at is no later than the first due_at of the workspace. Runs
-- that are active now get the default lease of a day.
--
-- A step holds what it may cost (hold_pico_usd) until it is reported or charged (held_pico_usd is what it holds now). cost_source
-- is null for a cost that comes from a price.
--
-- Limits of a run are fixed when it starts; recent_steps is the window in which repeats are counted. Both are JSON.

ALTER TABLE workspaces ADD COLUMN run_lease_seconds INTEGER DEFAULT 86400;
ALTER TABLE workspaces ADD COLUMN run_limits TEXT NOT NULL
  DEFAULT '{"maxCostPicoUsd":null,"maxSteps":null,"maxDurationSeconds":null,"maxRepeats":null}';
ALTER TABLE workspaces ADD COLUMN repeat_exempt_tools TEXT NOT NULL DEFAULT '[]';
ALTER TABLE workspaces ADD COLUMN require_holds INTEGER NOT NULL DEFAULT 0;
ALTER TABLE workspace_counters ADD COLUMN next_due_at INTEGER;
ALTER TABLE workspace_counters ADD COLUMN held_pico_usd INTEGER NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN held_pico_usd INTEGER NOT NULL DEFAULT 0;
CREATE INDEX workspace_counters_by_next_due ON workspace_counters (next_due_at) WHERE next_due_at IS NOT NULL;

CREATE TABLE new_runs (
  workspace_id        TEXT NOT NULL,
  id                  TEXT NOT NULL,
  position            INTEGER NOT NULL,
  user_id             TEXT NOT NULL,
  status              TEXT NOT NULL,
  started_at          INTEGER NOT NULL,
  ended_at            INTEGER,
  end_reason          TEXT,
  lease_seconds       INTEGER,
  lease_expires_at    INTEGER,
  due_at              INTEGER,
  limits              TEXT,
  recent_steps        TEXT,
  step_count          INTEGER NOT NULL,
  denied_step_count   INTEGER NOT NULL DEFAULT 0,
  held_pico_usd       INTEGER NOT NULL DEFAULT 0,
  open_holds          INTEGER NOT NULL DEFAULT 0,
  total_tokens        INTEGER NOT NULL,
  total_cost_pico_usd INTEGER NOT NULL,
  usage_version       INTEGER NOT NULL,
  decision_reason     TEXT,
  decision_rules      TEXT NOT NULL,
  metadata            TEXT,
  PRIMARY KEY (workspace_id, id)
) STRICT;
-- In parts: runs
INSERT INTO new_runs SELECT workspace_id, id, position, user_id, status, started_at, ended_at, NULL,
  CASE status WHEN 'RUNNING' THEN 86400 END,
  CASE status WHEN 'RUNNING' THEN (unixepoch() + 86400) * 1000 END,
  CASE status WHEN 'RUNNING' THEN (unixepoch() + 86400) * 1000 END,
  NULL, NULL, step_count, 0, 0, 0, total_tokens, total_cost_pico_usd, usage_version, decision_reason, decision_rules, metadata
  FROM runs ORDER BY rowid;
DROP TABLE runs;
ALTER TABLE new_runs RENAME TO runs;
UPDATE runs SET denied_step_count = denied.step_count
  FROM (
    SELECT workspace_id, run_id, COUNT(*) AS step_count FROM steps WHERE decision_reason IS NOT NULL
    GROUP BY workspace_id, run_id
  ) AS denied
  WHERE runs.workspace_id = denied.workspace_id AND runs.id = denied.run_id;
CREATE UNIQUE INDEX runs_by_position ON runs (workspace_id, position);
CREATE INDEX runs_by_status ON runs (workspace_id, status, position);
CREATE INDEX runs_by_user ON runs (workspace_id, user_id, position);
CREATE INDEX runs_by_user_and_status ON runs (workspace_id, user_id, status, position);
CREATE INDEX runs_by_due ON runs (workspace_id, due_at) WHERE due_at IS NOT NULL;
UPDATE workspace_counters SET next_due_at = (unixepoch() + 86400) * 1000 WHERE running_runs > 0;

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
  cost_source       TEXT,
  hold_pico_usd     INTEGER,
  held_pico_usd     INTEGER,
  duration_ms       INTEGER,
  decision_reason   TEXT,
  decision_rules    TEXT NOT NULL,
  created_at        INTEGER NOT NULL,
  reported_at       INTEGER,
  usage_version     INTEGER,
  charged_version   INTEGER,
  input_data        TEXT,
  PRIMARY KEY (workspace_id, run_id, id)
) STRICT;
-- In parts: steps
INSERT INTO new_steps SELECT workspace_id, run_id, id, position, sequence, type, status, model, tool_name, prompt_tokens,
  completion_tokens, cost_pico_usd, NULL, NULL, NULL, duration_ms, decision_reason, decision_rules, created_at, reported_at,
  usage_version, NULL, input_data
  FROM steps ORDER BY rowid;
DROP TABLE steps;
ALTER TABLE new_steps RENAME TO steps;
CREATE INDEX steps_with_hold ON steps (workspace_id, run_id) WHERE held_pico_usd IS NOT NULL;
