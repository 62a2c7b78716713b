-- Idempotency records are kept in the order of their insertion, and their keys, which start with the time, in one order for all
-- workspaces. A batch then changes the last page of the table and of its index, where it changed a page for each workspace, and
-- no index by time is needed to find the oldest records.

CREATE TABLE new_remembered_answers (
  workspace_id TEXT NOT NULL,
  key_hash     TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  answer       TEXT NOT NULL,
  created_at   INTEGER NOT NULL
) STRICT;
INSERT INTO new_remembered_answers
  SELECT workspace_id, key_hash, request_hash, answer, created_at FROM remembered_answers ORDER BY created_at;
DROP TABLE remembered_answers;
ALTER TABLE new_remembered_answers RENAME TO remembered_answers;
CREATE UNIQUE INDEX remembered_answers_by_key ON remembered_answers (key_hash, workspace_id);

-- Failed sign-ins are deleted in the order of their insertion, too.
DROP INDEX login_failures_by_time;
