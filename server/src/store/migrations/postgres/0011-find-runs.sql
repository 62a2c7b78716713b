-- Runs that were denied when they started, runs with denied steps, and the reasons of these: lists of denials.
CREATE INDEX runs_by_deny_reason ON runs (workspace_id, decision_reason, position) WHERE decision_reason IS NOT NULL;
CREATE INDEX runs_with_denied_steps ON runs (workspace_id, position) WHERE denied_step_count > 0;
CREATE INDEX steps_by_deny_reason ON steps (workspace_id, run_id, decision_reason) WHERE decision_reason IS NOT NULL;

-- Runs by entries of their metadata, for the runs that are there already: as src/domain/run-metadata.ts selects them.
CREATE TABLE run_metadata (
  workspace_id uuid NOT NULL,
  name         text NOT NULL,
  value        text NOT NULL,
  position     bigint NOT NULL,
  PRIMARY KEY (workspace_id, name, value, position)
);
INSERT INTO run_metadata
  SELECT runs.workspace_id, entry.key, entry.value #>> '{}', runs.position
  FROM runs, json_each(CASE WHEN length(runs.metadata) <= 4096 AND runs.metadata LIKE '{%' THEN runs.metadata::json END) AS entry
  WHERE json_typeof(entry.value) IN ('string', 'number', 'boolean')
    AND length(entry.key) <= 64 AND length(entry.value #>> '{}') <= 256
  ON CONFLICT DO NOTHING;
