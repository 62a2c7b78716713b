-- An account gets its role when it is created. One without a role is a mistake, and not an owner.
ALTER TABLE accounts ALTER COLUMN role DROP DEFAULT;
