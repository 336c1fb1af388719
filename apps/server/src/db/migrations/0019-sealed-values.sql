-- Values that are encrypted with a key outside the database, such as the values of an app's variables. Where a value is
-- used, its keyed hash is stored: equal hashes of one name mean equal values. Nothing else refers to a value that is
-- `unused_since` a time; it is deleted later.
create table deploy.sealed_values (
  owner_id uuid not null references public.resources on delete cascade,
  purpose text not null,
  name text not null,
  hash text not null,
  sealed text not null,
  unused_since timestamptz,
  primary key (owner_id, purpose, name, hash)
);
