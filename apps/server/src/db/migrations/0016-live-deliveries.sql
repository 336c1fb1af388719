-- Live queries show the deliveries of an app when they arrive. Rows of an app that is being removed have no owner left.
create function connect.notify_delivery() returns trigger language plpgsql as $$
declare
  owner uuid := (select user_id from public.resources where id = coalesce(new.app_id, old.app_id));
begin
  if owner is not null then
    perform pg_notify('rows', json_build_object('table', 'deliveries', 'userId', owner)::text);
  end if;
  return null;
end $$;

create trigger notify_delivery after insert or update or delete on connect.deliveries
  for each row execute function connect.notify_delivery();

-- Live queries read the newest deliveries of one app.
create index on connect.deliveries (app_id, id desc);
