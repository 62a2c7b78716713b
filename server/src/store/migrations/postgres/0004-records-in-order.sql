-- The keys of idempotency records start with the time. In one order for all workspaces, a batch changes the last page of their
-- index, where it changed a page for each workspace.

ALTER TABLE remembered_answers
  DROP CONSTRAINT remembered_answers_pkey,
  ADD CONSTRAINT remembered_answers_pkey PRIMARY KEY (key_hash, workspace_id);
