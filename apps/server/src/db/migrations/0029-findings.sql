-- What was found out about a release, to be shown beside its settings, and the changes that probably solve its failure.
alter table deploy.releases
  add column detected jsonb not null default '{}',
  add column fixes jsonb not null default '[]';
