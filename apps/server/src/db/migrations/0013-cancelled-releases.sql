-- A release that is in progress can be cancelled.
alter table deploy.releases drop constraint releases_outcome_check;
alter table deploy.releases add constraint releases_outcome_check
  check (outcome in ('live', 'failed', 'superseded', 'cancelled'));

alter table deploy.events drop constraint events_kind_check;
alter table deploy.events add constraint events_kind_check check (kind in (
  'created', 'edited', 'hibernated', 'woken', 'deleted', 'restored', 'redeployed',
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
  if (new.values, new.deleted, new.redeploys) is not distinct from (old.values, old.deleted, old.redeploys) then
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
