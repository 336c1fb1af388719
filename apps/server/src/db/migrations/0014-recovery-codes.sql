-- Keyed hashes of the unused recovery codes. In the row of the user, so that one statement uses a code up, replaces all
-- codes, or deletes them together with the TOTP secret.
alter table auth.users add column recovery_code_hashes bytea[] not null default '{}';
