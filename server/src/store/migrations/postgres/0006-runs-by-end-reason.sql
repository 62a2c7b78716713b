-- Runs that the service ended, by reason: few of all runs, and listed on their own.
CREATE INDEX runs_by_end_reason ON runs (workspace_id, end_reason, position) WHERE end_reason IS NOT NULL;
-- The primary key must be the last index that was created (see 0002).
ALTER TABLE runs DROP CONSTRAINT runs_pkey, ADD PRIMARY KEY (workspace_id, id);
