-- Accounts have a role in their workspace. Existing accounts registered their workspaces.
ALTER TABLE accounts ADD COLUMN role text COLLATE "C" NOT NULL DEFAULT 'owner';
-- A new account gets its role when it is created. One without a role would be a mistake, and not an owner.
ALTER TABLE accounts ALTER COLUMN role DROP DEFAULT;
CREATE INDEX accounts_by_workspace ON accounts (workspace_id, created_at, id);

-- An invitation ends with the right to invite of the account that made it.
CREATE TABLE invitations (
  workspace_id uuid NOT NULL REFERENCES workspaces (id),
  id           uuid NOT NULL,
  email        text NOT NULL,
  email_key    text COLLATE "C" NOT NULL,
  role         text COLLATE "C" NOT NULL,
  token_hash   text COLLATE "C" NOT NULL UNIQUE,
  created_at   bigint NOT NULL,
  expires_at   bigint NOT NULL,
  invited_by   uuid,
  PRIMARY KEY (workspace_id, id),
  UNIQUE (workspace_id, email_key)
);

-- Whom a key was made by: an e-mail, or the label of a key. Unknown for existing keys.
ALTER TABLE api_keys ADD COLUMN created_by text;
