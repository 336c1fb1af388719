-- Commands that a user ran once in an app. `number` counts per app and names the log.
create table deploy.commands (
  app_id uuid not null references public.resources on delete cascade,
  number integer not null,
  -- Secrets of the app are masked in it when the command starts.
  command text not null,
  release integer not null,
  timeout_seconds integer not null,
  state text not null default 'queued'
    check (state in ('queued', 'running', 'succeeded', 'failed', 'cancelled', 'timed-out', 'interrupted')),
  is_cancel_requested boolean not null default false,
  exit_code integer,
  message text,
  -- Who ran it.
  actor jsonb not null default '{}',
  started_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (app_id, number)
);
create index on deploy.commands (state) where state in ('queued', 'running');

create function deploy.notify_commands() returns trigger language plpgsql as $$
begin
  perform pg_notify('rows', json_build_object('table', 'commands', 'userId', owner.user_id)::text)
  from public.resources as owner where owner.id = new.app_id;
  return null;
end $$;

create trigger notify_changed after insert or update on deploy.commands
  for each row execute function deploy.notify_commands();
