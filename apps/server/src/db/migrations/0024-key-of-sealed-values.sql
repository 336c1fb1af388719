-- The hash covers the name. A name may be longer than an entry of an index.
alter table deploy.sealed_values
  drop constraint sealed_values_pkey,
  add primary key (owner_id, purpose, hash);
