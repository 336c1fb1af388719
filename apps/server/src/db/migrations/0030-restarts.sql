-- The log name of the instance that the owner asked to replace by another one of the same release.
alter table public.resources add column replaced_instance text;

alter table deploy.events drop constraint events_kind_check;
alter table deploy.events add constraint events_kind_check check (kind in (
  'created', 'edited', 'hibernated', 'woken', 'deleted', 'restored', 'redeployed', 'restarted',
  'release-started', 'release-live', 'release-failed', 'release-superseded', 'release-cancelled'
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
  -- A cancelled release makes a new generation of the same values. The event of the release records it.
  if (new.values, new.deleted, new.redeploys, new.replaced_instance)
    is not distinct from (old.values, old.deleted, old.redeploys, old.replaced_instance)
  then
    return null;
  end if;
  kind := case
    when new.deleted and not old.deleted then 'deleted'
    when old.deleted and not new.deleted then 'restored'
    when new.redeploys <> old.redeploys then 'redeployed'
    when new.replaced_instance is distinct from old.replaced_instance then 'restarted'
    when new.values -> 'instances' = '0' and old.values -> 'instances' <> '0' then 'hibernated'
    when old.values -> 'instances' = '0' and new.values -> 'instances' <> '0' then 'woken'
    else 'edited'
  end;
  insert into deploy.events (app_id, user_id, kind, details) values (new.id, new.user_id, kind,
    jsonb_build_object('changed', deploy.changed_fields(old.values, new.values)));
  return null;
end $$;

-- How often the owner cleared the build cache. The next build after that starts without one.
alter table public.resources add column cache_clears bigint not null default 0;
