alter table auth.users
  add column new_email text,
  -- Sealed; set by generate, in use once active_mfa_type says so.
  add column totp_secret text,
  add column active_mfa_type text check (active_mfa_type in ('totp')),
  -- The time step of the last code taken; a code of it or before is spent.
  add column last_totp_step bigint,
  add column last_seen_at timestamptz;

-- What a person sees of a session.
alter table auth.refresh_tokens
  add column last_used_at timestamptz not null default now(),
  add column user_agent text,
  add column address text;

-- Tokens that were rotated away. The use of one after the grace means that it was stolen.
create table auth.spent_refresh_tokens (
  token_hash bytea primary key,
  session_id uuid not null references auth.refresh_tokens on delete cascade,
  spent_at timestamptz not null default now()
);
create index on auth.spent_refresh_tokens (session_id);
insert into auth.spent_refresh_tokens (token_hash, session_id, spent_at)
  select previous_hash, id, rotated_at from auth.refresh_tokens where previous_hash is not null;
alter table auth.refresh_tokens drop column previous_hash, drop column rotated_at;

-- Links in mails and the step between password and second factor. Single use; one of each purpose per user.
create table auth.tickets (
  user_id uuid not null references auth.users on delete cascade,
  purpose text not null,
  ticket_hash bytea not null unique,
  expires_at timestamptz not null,
  primary key (user_id, purpose)
);

create table auth.one_time_codes (
  user_id uuid not null references auth.users on delete cascade,
  channel text not null check (channel in ('email', 'sms')),
  code_hash bytea not null,
  attempts integer not null default 0,
  expires_at timestamptz not null,
  primary key (user_id, channel)
);

create table auth.personal_access_tokens (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  token_hash bytea not null unique,
  metadata jsonb,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at timestamptz not null
);
create index on auth.personal_access_tokens (user_id);

create table auth.security_keys (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null default 0,
  transports text[] not null default '{}',
  nickname text,
  created_at timestamptz not null default now()
);
create index on auth.security_keys (user_id);

-- What a security key is asked to sign. Single use.
create table auth.challenges (
  challenge text primary key,
  purpose text not null,
  user_id uuid references auth.users on delete cascade,
  details jsonb not null default '{}',
  expires_at timestamptz not null
);

create table auth.provider_accounts (
  provider text not null,
  account_id text not null,
  user_id uuid not null references auth.users on delete cascade,
  created_at timestamptz not null default now(),
  primary key (provider, account_id)
);
create index on auth.provider_accounts (user_id);

-- Every security-relevant act, append-only. Kept when the user goes.
create table auth.events (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  user_id uuid,
  kind text not null,
  address text,
  user_agent text,
  details jsonb not null default '{}'
);
create index on auth.events (user_id, at desc);
