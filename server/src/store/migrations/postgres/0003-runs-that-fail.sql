-- A run ends when its lease does. due_at is when to look at the lease again: no later than lease_expires_at, but moved on only
-- when it is reached, so that a renewal changes no index. next_due_at is no later than the first due_at of the workspace. Runs
-- that are active now get the default lease of a day.
--
-- A step holds what it may cost (hold_pico_usd) until it is reported or charged (held_pico_usd is what it holds now). cost_source
-- is null for a cost that comes from a price.
--
-- Limits of a run are fixed when it starts; recent_steps is the window in which repeats are counted. Both are JSON.

ALTER TABLE workspaces ADD COLUMN run_lease_seconds bigint DEFAULT 86400;
ALTER TABLE workspaces ADD COLUMN run_limits text NOT NULL
  DEFAULT '{"maxCostPicoUsd":null,"maxSteps":null,"maxDurationSeconds":null,"maxRepeats":null}';
ALTER TABLE workspaces ADD COLUMN repeat_exempt_tools text NOT NULL DEFAULT '[]';
ALTER TABLE workspaces ADD COLUMN require_holds boolean NOT NULL DEFAULT false;
ALTER TABLE workspace_counters ADD COLUMN next_due_at bigint;
ALTER TABLE workspace_counters ADD COLUMN held_pico_usd bigint NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN held_pico_usd bigint NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN end_reason text COLLATE "C";
ALTER TABLE runs ADD COLUMN lease_seconds bigint;
ALTER TABLE runs ADD COLUMN lease_expires_at bigint;
ALTER TABLE runs ADD COLUMN due_at bigint;
ALTER TABLE runs ADD COLUMN limits text;
ALTER TABLE runs ADD COLUMN recent_steps text;
ALTER TABLE runs ADD COLUMN denied_step_count bigint NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN held_pico_usd bigint NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN open_holds bigint NOT NULL DEFAULT 0;
ALTER TABLE steps ADD COLUMN cost_source text COLLATE "C";
ALTER TABLE steps ADD COLUMN hold_pico_usd bigint;
ALTER TABLE steps ADD COLUMN held_pico_usd bigint;
ALTER TABLE steps ADD COLUMN charged_version bigint;

UPDATE runs SET denied_step_count = denied.step_count
FROM (
  SELECT workspace_id, run_id, COUNT(*) AS step_count FROM steps WHERE decision_reason IS NOT NULL
  GROUP BY workspace_id, run_id
) AS denied
WHERE runs.workspace_id = denied.workspace_id AND runs.id = denied.run_id;

UPDATE runs SET lease_seconds = 86400, lease_expires_at = (floor(extract(epoch FROM now())) + 86400) * 1000,
  due_at = (floor(extract(epoch FROM now())) + 86400) * 1000
WHERE status = 'RUNNING';
UPDATE workspace_counters SET next_due_at = (floor(extract(epoch FROM now())) + 86400) * 1000 WHERE running_runs > 0;

CREATE INDEX workspace_counters_by_next_due ON workspace_counters (next_due_at) WHERE next_due_at IS NOT NULL;
CREATE INDEX steps_with_hold ON steps (workspace_id, run_id) WHERE held_pico_usd IS NOT NULL;
CREATE INDEX runs_by_due ON runs (workspace_id, due_at) WHERE due_at IS NOT NULL;
-- The primary key must be the last index that was created (see 0002).
ALTER TABLE runs DROP CONSTRAINT runs_pkey, ADD PRIMARY KEY (workspace_id, id);
