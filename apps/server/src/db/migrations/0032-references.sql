-- The hashes of the values that the variables of a release got from other apps: an array, those of the last start first. Logs
-- mask them.
alter table deploy.releases add column referred jsonb;
