-- Who changed what. Rows are only added, and deleted when they are old.

CREATE TABLE audit_log (
  position     INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  id           TEXT NOT NULL,
  created_at   INTEGER NOT NULL,
  actor_type   TEXT NOT NULL,
  actor_id     TEXT,
  actor_label  TEXT NOT NULL,
  action       TEXT NOT NULL,
  target       TEXT,
  request_id   TEXT,
  ip_address   TEXT,
  before       TEXT,
  after        TEXT
) STRICT;
CREATE INDEX audit_log_by_workspace ON audit_log (workspace_id, created_at);
CREATE INDEX audit_log_by_action ON audit_log (workspace_id, action, created_at);
CREATE INDEX audit_log_by_actor ON audit_log (workspace_id, actor_id, created_at);
-- After a copy, rows are not in the order of their time.
CREATE INDEX audit_log_by_time ON audit_log (created_at);
