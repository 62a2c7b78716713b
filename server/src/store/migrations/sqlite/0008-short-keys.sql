-- The key of an idempotency record contains its workspace, and both hashes are shorter: half as many bytes in the index, which
-- every write with a key changes. short_hash is defined by the migration.

DROP INDEX remembered_answers_by_key;
UPDATE remembered_answers SET
  key_hash = substr(key_hash, 1, length(key_hash) - 43) || short_hash(workspace_id || substr(key_hash, -43, 22)),
  request_hash = substr(request_hash, 1, 22);
CREATE UNIQUE INDEX remembered_answers_by_key ON remembered_answers (key_hash);
