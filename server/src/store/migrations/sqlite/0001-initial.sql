-- Amounts are pico-dollars (10^-12 USD) in 64-bit integers, prices are decimal text, times are milliseconds since 1970,
-- days are 'YYYY-MM-DD' in UTC. Runs and steps are the ledger; every *_days table and every *_runs column is a counter
-- that is written in the same transaction and can be recomputed from them.

CREATE TABLE workspaces (
  id                         TEXT PRIMARY KEY,
  name                       TEXT NOT NULL,
  slug                       TEXT NOT NULL UNIQUE,
  plan                       TEXT NOT NULL,
  kill_switch                INTEGER NOT NULL,
  daily_budget_pico_usd      INTEGER,
  user_daily_budget_pico_usd INTEGER,
  max_concurrent_runs        INTEGER NOT NULL,
  created_at                 INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE accounts (
  id            TEXT PRIMARY KEY,
  workspace_id  TEXT NOT NULL REFERENCES workspaces (id),
  email         TEXT NOT NULL,
  email_key     TEXT NOT NULL UNIQUE,
  name          TEXT,
  password_hash TEXT NOT NULL,
  token_version INTEGER NOT NULL,
  created_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE api_keys (
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  id           TEXT NOT NULL,
  prefix       TEXT NOT NULL UNIQUE,
  secret_hash  TEXT NOT NULL,
  label        TEXT,
  is_active    INTEGER NOT NULL,
  created_at   INTEGER NOT NULL,
  last_used_at INTEGER,
  PRIMARY KEY (workspace_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE model_prices (
  workspace_id     TEXT NOT NULL REFERENCES workspaces (id),
  model            TEXT NOT NULL,
  id               TEXT NOT NULL,
  input_usd        TEXT NOT NULL,
  output_usd       TEXT NOT NULL,
  is_active        INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, model)
) STRICT, WITHOUT ROWID;

-- The tables of the data plane have no foreign keys: a check per row would add to the work of every batch, and verify finds
-- what they would have prevented.

CREATE TABLE runs (
  workspace_id        TEXT NOT NULL,
  id                  TEXT NOT NULL,
  position            INTEGER NOT NULL,
  user_id             TEXT NOT NULL,
  status              TEXT NOT NULL,
  metadata            TEXT,
  started_at          INTEGER NOT NULL,
  ended_at            INTEGER,
  step_count          INTEGER NOT NULL,
  total_tokens        INTEGER NOT NULL,
  total_cost_pico_usd INTEGER NOT NULL,
  decision_reason     TEXT,
  decision_rules      TEXT NOT NULL,
  PRIMARY KEY (workspace_id, id)
) STRICT;
CREATE UNIQUE INDEX runs_by_position ON runs (workspace_id, position);
CREATE INDEX runs_by_status ON runs (workspace_id, status, position);
CREATE INDEX runs_by_user ON runs (workspace_id, user_id, position);
CREATE INDEX runs_by_user_and_status ON runs (workspace_id, user_id, status, position);

CREATE TABLE steps (
  workspace_id      TEXT NOT NULL,
  run_id            TEXT NOT NULL,
  id                TEXT NOT NULL,
  position          INTEGER NOT NULL,
  sequence          INTEGER NOT NULL,
  type              TEXT NOT NULL,
  status            TEXT NOT NULL,
  model             TEXT,
  tool_name         TEXT,
  input_data        TEXT,
  prompt_tokens     INTEGER,
  completion_tokens INTEGER,
  cost_pico_usd     INTEGER,
  duration_ms       INTEGER,
  decision_reason   TEXT,
  decision_rules    TEXT NOT NULL,
  created_at        INTEGER NOT NULL,
  reported_at       INTEGER,
  PRIMARY KEY (workspace_id, run_id, id)
) STRICT;

CREATE TABLE workspace_counters (
  workspace_id   TEXT PRIMARY KEY,
  running_runs   INTEGER NOT NULL,
  completed_runs INTEGER NOT NULL,
  failed_runs    INTEGER NOT NULL,
  blocked_runs   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE users (
  workspace_id   TEXT NOT NULL,
  user_id        TEXT NOT NULL,
  blocked        INTEGER NOT NULL,
  last_seen_at   INTEGER,
  running_runs   INTEGER NOT NULL,
  completed_runs INTEGER NOT NULL,
  failed_runs    INTEGER NOT NULL,
  blocked_runs   INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX users_by_last_seen ON users (workspace_id, last_seen_at DESC, user_id);
CREATE INDEX users_blocked ON users (workspace_id, last_seen_at DESC, user_id) WHERE blocked = 1;

CREATE TABLE workspace_days (
  workspace_id      TEXT NOT NULL,
  day               TEXT NOT NULL,
  cost_pico_usd     INTEGER NOT NULL,
  prompt_tokens     INTEGER NOT NULL,
  completion_tokens INTEGER NOT NULL,
  unpriced_tokens   INTEGER NOT NULL,
  run_count         INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, day)
) STRICT, WITHOUT ROWID;

CREATE TABLE user_days (
  workspace_id      TEXT NOT NULL,
  day               TEXT NOT NULL,
  user_id           TEXT NOT NULL,
  cost_pico_usd     INTEGER NOT NULL,
  prompt_tokens     INTEGER NOT NULL,
  completion_tokens INTEGER NOT NULL,
  unpriced_tokens   INTEGER NOT NULL,
  run_count         INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, day, user_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE model_days (
  workspace_id      TEXT NOT NULL,
  day               TEXT NOT NULL,
  model             TEXT NOT NULL,
  cost_pico_usd     INTEGER NOT NULL,
  prompt_tokens     INTEGER NOT NULL,
  completion_tokens INTEGER NOT NULL,
  unpriced_tokens   INTEGER NOT NULL,
  step_count        INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, day, model)
) STRICT, WITHOUT ROWID;

CREATE TABLE denial_days (
  workspace_id TEXT NOT NULL,
  day          TEXT NOT NULL,
  reason       TEXT NOT NULL,
  denial_count INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, day, reason)
) STRICT, WITHOUT ROWID;

-- Answers to requests with an Idempotency-Key, to be given again when the request is.
CREATE TABLE remembered_answers (
  workspace_id TEXT NOT NULL,
  key_hash     TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  answer       TEXT NOT NULL,
  created_at   INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, key_hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX remembered_answers_by_time ON remembered_answers (created_at);

CREATE TABLE login_failures (
  id        INTEGER PRIMARY KEY,
  subject   TEXT NOT NULL,
  failed_at INTEGER NOT NULL
) STRICT;
CREATE INDEX login_failures_by_subject ON login_failures (subject, failed_at);
CREATE INDEX login_failures_by_time ON login_failures (failed_at);

CREATE TABLE secrets (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
