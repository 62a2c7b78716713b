-- An invitation ends with the right to invite of the account that made it.
ALTER TABLE invitations ADD COLUMN invited_by uuid;
