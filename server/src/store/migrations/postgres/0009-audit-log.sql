-- Who changed what. Rows are only added, and deleted when they are old.

CREATE TABLE audit_log (
  workspace_id uuid NOT NULL REFERENCES workspaces (id),
  position     bigint GENERATED ALWAYS AS IDENTITY,
  id           uuid NOT NULL,
  created_at   bigint NOT NULL,
  actor_type   text COLLATE "C" NOT NULL,
  actor_id     uuid,
  actor_label  text NOT NULL,
  action       text COLLATE "C" NOT NULL,
  target       text,
  request_id   text,
  ip_address   text,
  before       text,
  after        text,
  PRIMARY KEY (workspace_id, position)
);
CREATE INDEX audit_log_by_workspace ON audit_log (workspace_id, created_at, position);
CREATE INDEX audit_log_by_action ON audit_log (workspace_id, action, created_at, position);
CREATE INDEX audit_log_by_actor ON audit_log (workspace_id, actor_id, created_at, position);
CREATE INDEX audit_log_by_time ON audit_log (created_at);
