-- The hashes of the values that the variables of a release got from other apps, when it was started last. Logs mask them.
alter table deploy.releases add column referred jsonb;
