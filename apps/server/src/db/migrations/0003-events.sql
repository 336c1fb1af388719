-- What happened to an app, append-only. Triggers write it, so nothing happens unrecorded. Settings are told by
-- their names, never by their values: those may be secrets.
create table deploy.events (
  id bigint generated always as identity primary key,
  app_id uuid not null references public.resources on delete cascade,
  user_id uuid not null references auth.users on delete cascade,
  kind text not null check (kind in (
    'created', 'edited', 'hibernated', 'woken', 'deleted', 'restored',
    'release-started', 'release-live', 'release-failed', 'release-superseded'
  )),
  details jsonb not null default '{}',
  at timestamptz not null default now()
);
create index on deploy.events (app_id, id);
create index on deploy.events (user_id, id);

create function deploy.keep_event() returns trigger language plpgsql as $$
begin
  raise exception 'Events are not edited';
end $$;

create trigger keep_event before update on deploy.events
  for each row execute function deploy.keep_event();

-- The names of the settings that differ; of the environment, the name of each variable.
create function deploy.changed_fields(before jsonb, after jsonb) returns jsonb
language sql immutable as $$
  with settings as (
    select side, case when outer_key = 'env' and jsonb_typeof(outer_value) = 'object'
      then 'env.' || inner_key else outer_key end as name,
      coalesce(inner_value, outer_value) as value
    from (values (0, before), (1, after)) as sides (side, fields)
    cross join lateral jsonb_each(
      case when jsonb_typeof(fields) = 'object' then fields end
    ) as fields (outer_key, outer_value)
    left join lateral jsonb_each(
      case when outer_key = 'env' and jsonb_typeof(outer_value) = 'object' then outer_value end
    ) as variables (inner_key, inner_value) on true
  )
  select coalesce(jsonb_agg(name order by name), '[]')
  from (select name from settings group by name
    having count(*) = 1 or count(distinct value) = 2) as differing
  where name is not null
$$;

create function deploy.record_resource_event() returns trigger language plpgsql as $$
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
    when new.values -> 'instances' = '0' and old.values -> 'instances' <> '0' then 'hibernated'
    when old.values -> 'instances' = '0' and new.values -> 'instances' <> '0' then 'woken'
    else 'edited'
  end;
  insert into deploy.events (app_id, user_id, kind, details) values (new.id, new.user_id, kind,
    jsonb_build_object('changed', deploy.changed_fields(old.values, new.values)));
  return null;
end $$;

create trigger record_event after insert or update on public.resources
  for each row execute function deploy.record_resource_event();

create function deploy.record_release_event() returns trigger language plpgsql as $$
declare
  owner uuid := (select user_id from public.resources where id = new.app_id);
  kind text := case
    when tg_op = 'INSERT' then 'release-started'
    when new.outcome is distinct from old.outcome then 'release-' || new.outcome
  end;
begin
  if kind is not null then
    insert into deploy.events (app_id, user_id, kind, details) values (new.app_id, owner, kind,
      jsonb_strip_nulls(jsonb_build_object('release', new.number, 'reason', new.reason)));
  end if;
  perform pg_notify('rows', json_build_object('table', 'releases', 'userId', owner)::text);
  return null;
end $$;

create trigger record_event after insert or update on deploy.releases
  for each row execute function deploy.record_release_event();

create function deploy.tell_event() returns trigger language plpgsql as $$
begin
  perform pg_notify('rows', json_build_object('table', 'events', 'userId', new.user_id)::text);
  return null;
end $$;

create trigger tell_event after insert on deploy.events
  for each row execute function deploy.tell_event();
