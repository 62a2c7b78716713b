-- The key of an idempotency record contains its workspace, and both hashes are shorter: half as many bytes in the index, which
-- every write with a key changes.

ALTER TABLE remembered_answers DROP CONSTRAINT remembered_answers_pkey;
UPDATE remembered_answers SET
  key_hash = left(key_hash, -43) || left(
    translate(encode(sha256(convert_to(workspace_id::text || left(right(key_hash, 43), 22), 'UTF8')), 'base64'), '+/', '-_'),
    22
  ),
  request_hash = left(request_hash, 22);
ALTER TABLE remembered_answers ADD CONSTRAINT remembered_answers_pkey PRIMARY KEY (key_hash);
