create schema storage;

-- Rules for the files in it. Everybody may use every bucket, and sees only own files there.
create table storage.buckets (
  id text primary key,
  min_bytes bigint not null default 1,
  -- Null: only the server's own limit.
  max_bytes bigint,
  presigned_urls boolean not null default true,
  presigned_seconds integer not null default 30 check (presigned_seconds > 0),
  cache_control text not null default 'max-age=3600'
);
insert into storage.buckets (id) values ('default');

-- A row is written when its bytes are safe, and removed before they are. The id is unique among the files of one user
-- only: otherwise it would tell that somebody else has a file of that id.
create table storage.files (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  bucket_id text not null references storage.buckets,
  name text not null,
  size bigint not null,
  mime_type text not null,
  sha256 text not null,
  metadata jsonb,
  -- Where the store keeps the bytes. Other content has another key.
  key text not null unique,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (user_id, id)
);
