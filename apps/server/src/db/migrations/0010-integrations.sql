create schema connect;

-- What integrations sign in with, sealed with a key that lies outside the database.
create table connect.secrets (
  integration_id uuid not null references public.resources on delete cascade,
  name text not null,
  sealed text not null,
  updated_at timestamptz not null default now(),
  primary key (integration_id, name)
);

-- A deleted resource stays as a row; its secrets do not, whoever deletes it.
create function connect.destroy_secrets() returns trigger language plpgsql as $$
begin
  delete from connect.secrets where integration_id = new.id;
  return null;
end $$;

create trigger destroy_secrets after update of deleted on public.resources
  for each row when (new.deleted and not old.deleted) execute function connect.destroy_secrets();

-- Whoever connects an account again means the integration that is there.
create unique index one_integration_per_account on public.resources
  (user_id, (values ->> 'provider'), (values ->> 'host'), (values ->> 'account_id'))
  where chart_name = 'credential' and not deleted;

-- The way of a browser to a provider and back. It holds hashes only: of the key in the browser's cookie, of the ticket
-- that lets it leave, and of the state it must bring back. Ticket and state are good once.
create table connect.attempts (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  provider text not null,
  browser_hash bytea not null,
  ticket_hash bytea unique,
  state_hash bytea unique,
  expires_at timestamptz not null
);
create index on connect.attempts (user_id);
