-- Old entries of the audit log are found by their time. After a copy they are not in the order of it.
CREATE INDEX audit_log_by_time ON audit_log (created_at);
