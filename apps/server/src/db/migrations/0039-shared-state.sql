-- Keys of an installation with several servers, encrypted with a key that is derived from LONGSHORE_MASTER_KEY.
create table deploy.keys (
  name text primary key,
  encrypted text not null
);

-- Rate limits of an installation with several servers. A crash of Postgres empties it: every bucket is full again.
create unlogged table deploy.rate_limits (
  key_hash text primary key,
  tokens double precision not null,
  -- Milliseconds since the epoch.
  counted_at double precision not null,
  -- The outcome of the last request.
  is_allowed boolean not null,
  -- When the bucket is full, which is the same as no bucket.
  full_at double precision not null
);
create index on deploy.rate_limits (full_at);
