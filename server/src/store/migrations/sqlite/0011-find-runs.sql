-- Runs that were denied when they started, runs with denied steps, and the reasons of these: lists of denials.
CREATE INDEX runs_by_deny_reason ON runs (workspace_id, decision_reason, position) WHERE decision_reason IS NOT NULL;
CREATE INDEX runs_with_denied_steps ON runs (workspace_id, position) WHERE denied_step_count > 0;
CREATE INDEX steps_by_deny_reason ON steps (workspace_id, run_id, decision_reason) WHERE decision_reason IS NOT NULL;

-- Runs by entries of their metadata, for the runs that are there already: as src/domain/run-metadata.ts selects them.
CREATE TABLE run_metadata (
  workspace_id TEXT NOT NULL,
  name         TEXT NOT NULL,
  value        TEXT NOT NULL,
  position     INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, name, value, position)
) STRICT, WITHOUT ROWID;
INSERT OR IGNORE INTO run_metadata
  SELECT runs.workspace_id, entry.key,
    CASE entry.type WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' ELSE CAST(entry.value AS TEXT) END, runs.position
  FROM runs, json_each(runs.metadata) AS entry
  WHERE length(runs.metadata) <= 4096 AND runs.metadata LIKE '{%'
    AND entry.type IN ('text', 'integer', 'real', 'true', 'false')
    AND length(entry.key) <= 64 AND length(entry.value) <= 256;
