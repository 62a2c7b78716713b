-- Every step changes the row of its run. With room in its page for a second version of each row, the new version stays there and
-- no index changes; runs that are active at the same time are side by side. For pages that are filled from now on. The key of a
-- step still begins with its workspace, other than on SQLite: tables can be distributed by it (docs/scaling.md), and PostgreSQL
-- writes what changed in a page, not the page.
ALTER TABLE runs SET (fillfactor = 50);
