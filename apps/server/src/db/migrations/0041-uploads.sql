-- Uploaded source code of apps that is in the object store, if several servers share their state. Not removed with the app by
-- Postgres: the object has to be removed first.
create table deploy.uploads (
  app_id uuid not null,
  -- Of the bytes that arrived.
  digest text not null,
  -- In the object store.
  key text not null unique,
  -- Of the object.
  sha256 text not null,
  bytes bigint not null,
  primary key (app_id, digest)
);
