create schema auth;
create schema deploy;

create table auth.users (
  id uuid primary key default gen_random_uuid(),
  created_at timestamptz not null default now(),
  email text unique check (email = lower(email)),
  password_hash text,
  display_name text not null default '',
  avatar_url text not null default '',
  locale text not null default 'en',
  email_verified boolean not null default false,
  phone_number text unique,
  phone_number_verified boolean not null default false,
  is_anonymous boolean not null default false,
  disabled boolean not null default false,
  default_role text not null default 'user',
  roles text[] not null default '{user,me}',
  metadata jsonb
);

-- One row is one session. The value of a token is never stored: its hash, and the hash it replaced, are.
create table auth.refresh_tokens (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  token_hash bytea not null unique,
  previous_hash bytea unique,
  rotated_at timestamptz,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index on auth.refresh_tokens (user_id);

create table public.resources (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  chart_name text not null,
  chart_version text not null,
  values jsonb not null,
  status text,
  message text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted boolean not null default false,
  -- Grows with each change of the user's wishes; status speaks of observed_generation.
  generation bigint not null default 1,
  observed_generation bigint not null default 0
);
create index on public.resources (user_id) where not deleted;

create function public.count_resource_generation() returns trigger language plpgsql as $$
begin
  if new.values is distinct from old.values or new.deleted is distinct from old.deleted then
    new.generation := old.generation + 1;
    new.updated_at := now();
    -- A status never outlives the wish it speaks of.
    if new.chart_name = 'longshore-app' then
      new.status := 'syncing';
      new.message := 'Waiting to reconcile';
    end if;
  end if;
  return new;
end $$;

create trigger count_generation before update on public.resources
  for each row execute function public.count_resource_generation();

create function public.tell_resource_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('resources', json_build_object(
    'id', new.id,
    'userId', new.user_id,
    'chartName', new.chart_name,
    'generation', new.generation,
    'wished', tg_op = 'INSERT' or new.generation is distinct from old.generation
  )::text);
  return null;
end $$;

create trigger tell_change after insert or update on public.resources
  for each row execute function public.tell_resource_change();

-- One immutable attempt to run what the user wished; only its phases and outcome are filled in.
create table deploy.releases (
  app_id uuid not null references public.resources on delete cascade,
  number integer not null,
  generation bigint not null,
  -- Hash of the part of the wishes that needs a new release.
  wish text not null,
  revision text,
  phases jsonb not null default '[]',
  outcome text check (outcome in ('live', 'failed', 'superseded')),
  reason text,
  evidence jsonb not null default '[]',
  started_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (app_id, number)
);

-- Tells this database from every other, so that apps on disk are never taken for the leftovers of another one.
create table deploy.installation (
  id uuid primary key default gen_random_uuid(),
  is_only boolean not null unique default true check (is_only)
);
insert into deploy.installation default values;
