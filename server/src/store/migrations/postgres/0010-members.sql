-- Accounts have a role in their workspace. Existing accounts registered their workspaces.
ALTER TABLE accounts ADD COLUMN role text COLLATE "C" NOT NULL DEFAULT 'owner';
CREATE INDEX accounts_by_workspace ON accounts (workspace_id, created_at, id);

CREATE TABLE invitations (
  workspace_id uuid NOT NULL REFERENCES workspaces (id),
  id           uuid NOT NULL,
  email        text NOT NULL,
  email_key    text COLLATE "C" NOT NULL,
  role         text COLLATE "C" NOT NULL,
  token_hash   text COLLATE "C" NOT NULL UNIQUE,
  created_at   bigint NOT NULL,
  expires_at   bigint NOT NULL,
  PRIMARY KEY (workspace_id, id),
  UNIQUE (workspace_id, email_key)
);

-- Whom a key was made by: an e-mail, or the label of a key. Unknown for existing keys.
ALTER TABLE api_keys ADD COLUMN created_by text;
