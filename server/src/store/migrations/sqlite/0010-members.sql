-- Accounts have a role in their workspace. Existing accounts registered their workspaces.
ALTER TABLE accounts ADD COLUMN role TEXT NOT NULL DEFAULT 'owner';
CREATE INDEX accounts_by_workspace ON accounts (workspace_id, created_at, id);

-- An invitation ends with the right to invite of the account that made it.
CREATE TABLE invitations (
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  id           TEXT NOT NULL,
  email        TEXT NOT NULL,
  email_key    TEXT NOT NULL,
  role         TEXT NOT NULL,
  token_hash   TEXT NOT NULL UNIQUE,
  created_at   INTEGER NOT NULL,
  expires_at   INTEGER NOT NULL,
  invited_by   TEXT,
  PRIMARY KEY (workspace_id, id),
  UNIQUE (workspace_id, email_key)
) STRICT;

-- Whom a key was made by: an e-mail, or the label of a key. Unknown for existing keys.
ALTER TABLE api_keys ADD COLUMN created_by TEXT;
