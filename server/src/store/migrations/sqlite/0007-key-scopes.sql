-- What a key may do, and the end user it is limited to. Existing keys may do everything, as before.
ALTER TABLE api_keys ADD COLUMN scope TEXT NOT NULL DEFAULT 'admin';
ALTER TABLE api_keys ADD COLUMN user_id TEXT;
