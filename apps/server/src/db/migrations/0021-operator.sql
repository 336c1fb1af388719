-- The role operator. No API of users writes it: the first account gets it, and `npm run operator` grants and revokes it.
alter table auth.users
  add column is_operator boolean not null default false,
  -- The address must be verified before the account can be used, even where other accounts need not verify theirs.
  add column must_verify_email boolean not null default false;

update auth.users set is_operator = true
where id = (select id from auth.users where not is_anonymous order by created_at, id limit 1);

-- The lock serializes simultaneous first sign-ups, so that only one of them becomes the operator.
create function auth.appoint_first_account() returns trigger language plpgsql as $$
begin
  if not exists (select from auth.users where not is_anonymous) then
    perform pg_advisory_xact_lock(hashtextextended('first account', 0));
    new.is_operator := not exists (select from auth.users where not is_anonymous);
  end if;
  return new;
end $$;

create trigger appoint_first_account before insert on auth.users
  for each row when (not new.is_anonymous) execute function auth.appoint_first_account();
create trigger appoint_registered before update of is_anonymous on auth.users
  for each row when (old.is_anonymous and not new.is_anonymous) execute function auth.appoint_first_account();

-- Servers keep disabled users in memory.
create trigger tell_enabled after update of disabled on auth.users
  for each row when (old.disabled and not new.disabled) execute function auth.tell_user_end();

-- Who may sign up. Without a row, everybody.
create table auth.sign_up_settings (
  is_only boolean primary key default true check (is_only),
  mode text not null check (mode in ('open', 'closed', 'invite', 'domains')),
  domains text[] not null default '{}'
);

-- An invitation has two links: following the mailed one proves the address, following the copied one does not. It counts as
-- used while its account exists, so that a sign-up that was rolled back can be repeated.
create table auth.invitations (
  id uuid primary key default gen_random_uuid(),
  email text not null check (email = lower(email)),
  copied_token_hash bytea unique,
  mailed_token_hash bytea unique,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_by uuid references auth.users on delete set null,
  revoked_at timestamptz
);
create unique index on auth.invitations (email) where accepted_by is null and revoked_at is null;
create index on auth.invitations (created_at desc);

-- Limits of one user instead of the configured ones. Null: the configured limit; 0: no limit.
create table deploy.quotas (
  user_id uuid primary key references auth.users on delete cascade,
  apps integer check (apps >= 0),
  memory_bytes bigint check (memory_bytes >= 0),
  cpus double precision check (cpus >= 0),
  builds integer check (builds >= 0),
  disk_bytes bigint check (disk_bytes >= 0)
);

create index on auth.events (at desc, id desc);
create index on auth.users (created_at desc, id desc);
