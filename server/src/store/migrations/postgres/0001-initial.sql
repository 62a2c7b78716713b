-- The same tables as on SQLite. Amounts are pico-dollars (10^-12 USD), prices are decimal text, times are milliseconds
-- since 1970, days are 'YYYY-MM-DD' in UTC. Runs and steps are the ledger; every *_days table and every *_runs column is
-- a counter that is written in the same transaction and can be recomputed from them.
--
-- Every tenant table's primary key starts with workspace_id, so that the tables can be distributed by it (docs/scaling.md).
-- The data plane's tables carry no foreign keys: their rows are only written while the workspace's row in
-- workspace_counters is locked and after what they refer to has been read, a check per row would double the work of a
-- batch, and `guarded-runs verify` finds rows without a parent. Text that is compared or ordered has the collation "C":
-- the same order as on SQLite, whatever the database's locale.

CREATE TABLE workspaces (
  id                         uuid PRIMARY KEY,
  name                       text NOT NULL,
  slug                       text COLLATE "C" NOT NULL UNIQUE,
  plan                       text NOT NULL,
  kill_switch                boolean NOT NULL,
  daily_budget_pico_usd      bigint,
  user_daily_budget_pico_usd bigint,
  max_concurrent_runs        bigint NOT NULL,
  created_at                 bigint NOT NULL
);

CREATE TABLE accounts (
  id            uuid PRIMARY KEY,
  workspace_id  uuid NOT NULL REFERENCES workspaces (id),
  email         text NOT NULL,
  email_key     text COLLATE "C" NOT NULL UNIQUE,
  name          text,
  password_hash text NOT NULL,
  token_version bigint NOT NULL,
  created_at    bigint NOT NULL
);

CREATE TABLE api_keys (
  workspace_id uuid NOT NULL REFERENCES workspaces (id),
  id           uuid NOT NULL,
  prefix       text COLLATE "C" NOT NULL UNIQUE,
  secret_hash  text NOT NULL,
  label        text,
  is_active    boolean NOT NULL,
  created_at   bigint NOT NULL,
  last_used_at bigint,
  PRIMARY KEY (workspace_id, id)
);

CREATE TABLE model_prices (
  workspace_id uuid NOT NULL REFERENCES workspaces (id),
  model        text COLLATE "C" NOT NULL,
  id           uuid NOT NULL,
  input_usd    text NOT NULL,
  output_usd   text NOT NULL,
  is_active    boolean NOT NULL,
  PRIMARY KEY (workspace_id, model)
);

-- One row per workspace, locked first by everything that decides or that decisions depend on. Rows that are updated
-- over and over leave room in their page, so that an update needs no new index entries.
CREATE TABLE workspace_counters (
  workspace_id   uuid PRIMARY KEY REFERENCES workspaces (id),
  running_runs   bigint NOT NULL,
  completed_runs bigint NOT NULL,
  failed_runs    bigint NOT NULL,
  blocked_runs   bigint NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE runs (
  workspace_id        uuid NOT NULL,
  id                  uuid NOT NULL,
  position            bigint NOT NULL,
  user_id             text COLLATE "C" NOT NULL,
  status              text COLLATE "C" NOT NULL,
  metadata            text,
  started_at          bigint NOT NULL,
  ended_at            bigint,
  step_count          bigint NOT NULL,
  total_tokens        bigint NOT NULL,
  total_cost_pico_usd bigint NOT NULL,
  decision_reason     text COLLATE "C",
  decision_rules      text NOT NULL,
  PRIMARY KEY (workspace_id, id)
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX runs_by_position ON runs (workspace_id, position);
CREATE INDEX runs_by_status ON runs (workspace_id, status, position);
CREATE INDEX runs_by_user ON runs (workspace_id, user_id, position);
CREATE INDEX runs_by_user_and_status ON runs (workspace_id, user_id, status, position);

CREATE TABLE steps (
  workspace_id      uuid NOT NULL,
  run_id            uuid NOT NULL,
  id                uuid NOT NULL,
  position          bigint NOT NULL,
  sequence          bigint NOT NULL,
  type              text NOT NULL,
  status            text NOT NULL,
  model             text COLLATE "C",
  tool_name         text,
  input_data        text,
  prompt_tokens     bigint,
  completion_tokens bigint,
  cost_pico_usd     bigint,
  duration_ms       bigint,
  decision_reason   text COLLATE "C",
  decision_rules    text NOT NULL,
  created_at        bigint NOT NULL,
  reported_at       bigint,
  PRIMARY KEY (workspace_id, run_id, id)
) WITH (fillfactor = 80);

CREATE TABLE users (
  workspace_id   uuid NOT NULL,
  user_id        text COLLATE "C" NOT NULL,
  blocked        boolean NOT NULL,
  last_seen_at   bigint,
  running_runs   bigint NOT NULL,
  completed_runs bigint NOT NULL,
  failed_runs    bigint NOT NULL,
  blocked_runs   bigint NOT NULL,
  PRIMARY KEY (workspace_id, user_id)
);
CREATE INDEX users_by_last_seen ON users (workspace_id, last_seen_at DESC NULLS LAST, user_id);
CREATE INDEX users_blocked ON users (workspace_id, last_seen_at DESC NULLS LAST, user_id) WHERE blocked;

CREATE TABLE workspace_days (
  workspace_id      uuid NOT NULL,
  day               text COLLATE "C" NOT NULL,
  cost_pico_usd     bigint NOT NULL,
  prompt_tokens     bigint NOT NULL,
  completion_tokens bigint NOT NULL,
  unpriced_tokens   bigint NOT NULL,
  run_count         bigint NOT NULL,
  PRIMARY KEY (workspace_id, day)
) WITH (fillfactor = 50);

CREATE TABLE user_days (
  workspace_id      uuid NOT NULL,
  day               text COLLATE "C" NOT NULL,
  user_id           text COLLATE "C" NOT NULL,
  cost_pico_usd     bigint NOT NULL,
  prompt_tokens     bigint NOT NULL,
  completion_tokens bigint NOT NULL,
  unpriced_tokens   bigint NOT NULL,
  run_count         bigint NOT NULL,
  PRIMARY KEY (workspace_id, day, user_id)
) WITH (fillfactor = 70);

CREATE TABLE model_days (
  workspace_id      uuid NOT NULL,
  day               text COLLATE "C" NOT NULL,
  model             text COLLATE "C" NOT NULL,
  cost_pico_usd     bigint NOT NULL,
  prompt_tokens     bigint NOT NULL,
  completion_tokens bigint NOT NULL,
  unpriced_tokens   bigint NOT NULL,
  step_count        bigint NOT NULL,
  PRIMARY KEY (workspace_id, day, model)
) WITH (fillfactor = 50);

CREATE TABLE denial_days (
  workspace_id uuid NOT NULL,
  day          text COLLATE "C" NOT NULL,
  reason       text COLLATE "C" NOT NULL,
  denial_count bigint NOT NULL,
  PRIMARY KEY (workspace_id, day, reason)
) WITH (fillfactor = 50);

-- Answers to requests with an Idempotency-Key, to be given again when the request is.
CREATE TABLE remembered_answers (
  workspace_id uuid NOT NULL,
  key_hash     text COLLATE "C" NOT NULL,
  request_hash text NOT NULL,
  answer       text NOT NULL,
  created_at   bigint NOT NULL,
  PRIMARY KEY (workspace_id, key_hash)
);
CREATE INDEX remembered_answers_by_time ON remembered_answers (created_at);

CREATE TABLE login_failures (
  id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  subject   text COLLATE "C" NOT NULL,
  failed_at bigint NOT NULL
);
CREATE INDEX login_failures_by_subject ON login_failures (subject, failed_at);
CREATE INDEX login_failures_by_time ON login_failures (failed_at);

CREATE TABLE secrets (
  name  text COLLATE "C" PRIMARY KEY,
  value text NOT NULL
);
