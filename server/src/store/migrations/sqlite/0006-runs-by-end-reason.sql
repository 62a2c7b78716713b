-- Runs that the service ended, by reason: few of all runs, and listed on their own.
CREATE INDEX runs_by_end_reason ON runs (workspace_id, end_reason, position) WHERE end_reason IS NOT NULL;
