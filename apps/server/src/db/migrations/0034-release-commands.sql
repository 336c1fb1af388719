-- The release command that has succeeded with the build of a release: it is not run again for the same build.
alter table deploy.releases add column command_done text;
