-- An app may be asked to deploy again though nobody changed its values: its branch has moved on.
alter table public.resources add column redeploys bigint not null default 0;

create or replace function public.count_resource_generation() returns trigger language plpgsql as $$
begin
  if (new.values, new.deleted, new.redeploys) is distinct from (old.values, old.deleted, old.redeploys) then
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

alter table deploy.events drop constraint events_kind_check;
alter table deploy.events add constraint events_kind_check check (kind in (
  'created', 'edited', 'hibernated', 'woken', 'deleted', 'restored', 'redeployed',
  'release-started', 'release-live', 'release-failed', 'release-superseded'
));

create or replace function deploy.record_resource_event() returns trigger language plpgsql as $$
declare
  kind text;
begin
  if new.chart_name <> 'longshore-app' then
    return null;
  end if;
  if tg_op = 'INSERT' then
    insert into deploy.events (app_id, user_id, kind) values (new.id, new.user_id, 'created');
    return null;
  end if;
  if new.generation = old.generation then
    return null;
  end if;
  kind := case
    when new.deleted and not old.deleted then 'deleted'
    when old.deleted and not new.deleted then 'restored'
    when new.redeploys <> old.redeploys then 'redeployed'
    when new.values -> 'instances' = '0' and old.values -> 'instances' <> '0' then 'hibernated'
    when old.values -> 'instances' = '0' and new.values -> 'instances' <> '0' then 'woken'
    else 'edited'
  end;
  insert into deploy.events (app_id, user_id, kind, details) values (new.id, new.user_id, kind,
    jsonb_build_object('changed', deploy.changed_fields(old.values, new.values)));
  return null;
end $$;

-- Where pushes for an app are sent. Its secret is among the sealed ones, under the app.
create table connect.hooks (
  id uuid primary key default gen_random_uuid(),
  app_id uuid not null unique references public.resources on delete cascade,
  -- Where the provider was told of it, so that it can be taken back there. Null: its owner entered it by hand.
  integration_id uuid references public.resources on delete set null,
  repository text,
  provider_hook_id text,
  created_at timestamptz not null default now()
);
create index on connect.hooks (integration_id);

-- What came in, and what became of it.
create table connect.deliveries (
  id bigint generated always as identity primary key,
  app_id uuid not null references public.resources on delete cascade,
  -- Tells a delivery from every other one of the app. Null: refused, or sent again by its owner.
  mark text,
  at timestamptz not null default now(),
  event text not null,
  -- What was pushed, so that its owner can have it judged again.
  push jsonb,
  outcome text not null check (outcome in ('deployed', 'ignored', 'refused')),
  reason text not null,
  is_replay boolean not null default false,
  unique (app_id, mark)
);
