-- usage_version says which state of a run's totals a step's report belongs to, so that a run is read page by page and its
-- totals still are the sum of its steps. Large payloads are stored outside of their rows here, so columns keep their order.

ALTER TABLE runs ADD COLUMN usage_version bigint NOT NULL DEFAULT 0;
ALTER TABLE steps ADD COLUMN usage_version bigint;

-- Without statistics, as in a new database, all indexes that begin with the same column cost the planner the same, and it takes
-- the one that was created last. That must be the primary key: the others would read all runs of a workspace for one of them.
ALTER TABLE runs DROP CONSTRAINT runs_pkey, ADD PRIMARY KEY (workspace_id, id);
