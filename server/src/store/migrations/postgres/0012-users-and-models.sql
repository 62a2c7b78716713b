-- What the pages of a user and of a model show, from the runs and steps that are there already.
--
-- A block says who set it last, when, and why; of a block from before, that is not known.
ALTER TABLE users ADD COLUMN block_note text;
ALTER TABLE users ADD COLUMN blocked_at bigint;
ALTER TABLE users ADD COLUMN blocked_by text;

CREATE TABLE user_model_days (
  workspace_id      uuid NOT NULL,
  day               text COLLATE "C" NOT NULL,
  user_id           text COLLATE "C" NOT NULL,
  model             text COLLATE "C" NOT NULL,
  cost_pico_usd     bigint NOT NULL,
  prompt_tokens     bigint NOT NULL,
  completion_tokens bigint NOT NULL,
  unpriced_tokens   bigint NOT NULL,
  step_count        bigint NOT NULL,
  PRIMARY KEY (workspace_id, day, user_id, model)
) WITH (fillfactor = 70);
INSERT INTO user_model_days
  SELECT s.workspace_id, to_char(to_timestamp(s.reported_at / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, r.user_id, s.model,
    SUM(COALESCE(s.cost_pico_usd, 0)), SUM(COALESCE(s.prompt_tokens, 0)), SUM(COALESCE(s.completion_tokens, 0)),
    SUM(CASE WHEN s.cost_pico_usd IS NULL THEN s.prompt_tokens + s.completion_tokens ELSE 0 END), COUNT(*)
  FROM steps s JOIN runs r ON r.workspace_id = s.workspace_id AND r.id = s.run_id
  WHERE (s.prompt_tokens IS NOT NULL OR s.cost_pico_usd IS NOT NULL) AND s.model IS NOT NULL
  GROUP BY s.workspace_id, day, r.user_id, s.model;

CREATE TABLE user_denial_days (
  workspace_id uuid NOT NULL,
  day          text COLLATE "C" NOT NULL,
  user_id      text COLLATE "C" NOT NULL,
  reason       text COLLATE "C" NOT NULL,
  denial_count bigint NOT NULL,
  PRIMARY KEY (workspace_id, day, user_id, reason)
) WITH (fillfactor = 70);
INSERT INTO user_denial_days
  SELECT workspace_id, day, user_id, reason, COUNT(*) FROM (
    SELECT workspace_id, to_char(to_timestamp(started_at / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, user_id,
      decision_reason AS reason
    FROM runs WHERE decision_reason IS NOT NULL
    UNION ALL
    SELECT s.workspace_id, to_char(to_timestamp(s.created_at / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, r.user_id,
      s.decision_reason AS reason
    FROM steps s JOIN runs r ON r.workspace_id = s.workspace_id AND r.id = s.run_id
    WHERE s.decision_reason IS NOT NULL
  ) AS denials GROUP BY workspace_id, day, user_id, reason;

-- Calls by how they ended and how long they took: as src/domain/duration-buckets.ts says; -1 without a duration.
CREATE TABLE model_call_days (
  workspace_id uuid NOT NULL,
  day          text COLLATE "C" NOT NULL,
  model        text COLLATE "C" NOT NULL,
  status       text COLLATE "C" NOT NULL,
  bucket       bigint NOT NULL,
  call_count   bigint NOT NULL,
  PRIMARY KEY (workspace_id, day, model, status, bucket)
) WITH (fillfactor = 70);
INSERT INTO model_call_days
  SELECT workspace_id, to_char(to_timestamp(reported_at / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, model, status,
    CASE
      WHEN duration_ms IS NULL THEN -1
      WHEN duration_ms < 8 THEN duration_ms
      WHEN duration_ms < 16 THEN 4 + (duration_ms >> 1) WHEN duration_ms < 32 THEN 8 + (duration_ms >> 2)
      WHEN duration_ms < 64 THEN 12 + (duration_ms >> 3) WHEN duration_ms < 128 THEN 16 + (duration_ms >> 4)
      WHEN duration_ms < 256 THEN 20 + (duration_ms >> 5) WHEN duration_ms < 512 THEN 24 + (duration_ms >> 6)
      WHEN duration_ms < 1024 THEN 28 + (duration_ms >> 7) WHEN duration_ms < 2048 THEN 32 + (duration_ms >> 8)
      WHEN duration_ms < 4096 THEN 36 + (duration_ms >> 9) WHEN duration_ms < 8192 THEN 40 + (duration_ms >> 10)
      WHEN duration_ms < 16384 THEN 44 + (duration_ms >> 11) WHEN duration_ms < 32768 THEN 48 + (duration_ms >> 12)
      WHEN duration_ms < 65536 THEN 52 + (duration_ms >> 13) WHEN duration_ms < 131072 THEN 56 + (duration_ms >> 14)
      WHEN duration_ms < 262144 THEN 60 + (duration_ms >> 15) WHEN duration_ms < 524288 THEN 64 + (duration_ms >> 16)
      WHEN duration_ms < 1048576 THEN 68 + (duration_ms >> 17) WHEN duration_ms < 2097152 THEN 72 + (duration_ms >> 18)
      WHEN duration_ms < 4194304 THEN 76 + (duration_ms >> 19) WHEN duration_ms < 8388608 THEN 80 + (duration_ms >> 20)
      WHEN duration_ms < 16777216 THEN 84 + (duration_ms >> 21) WHEN duration_ms < 33554432 THEN 88 + (duration_ms >> 22)
      WHEN duration_ms < 67108864 THEN 92 + (duration_ms >> 23) WHEN duration_ms < 134217728 THEN 96 + (duration_ms >> 24)
      WHEN duration_ms < 268435456 THEN 100 + (duration_ms >> 25) WHEN duration_ms < 536870912 THEN 104 + (duration_ms >> 26)
      ELSE 112 END AS bucket, COUNT(*)
  FROM steps WHERE status IN ('COMPLETED', 'FAILED') AND model IS NOT NULL AND reported_at IS NOT NULL
  GROUP BY workspace_id, day, model, status, bucket;
