-- What a build depends on besides its commit and its settings. Unknown for the builds of earlier versions.
alter table deploy.releases add column build_inputs jsonb;
