-- What each instance used, per minute and per quarter of an hour: a week of minutes is too much to draw. An unknown number is null.
create table deploy.usage (
  app_id uuid not null references public.resources on delete cascade,
  -- In minutes.
  step smallint not null check (step in (1, 15)),
  at timestamptz not null,
  instance text not null,
  -- How long it was measured within the step.
  covered_ms integer not null,
  cpu_ms integer,
  memory_bytes bigint,
  received_bytes bigint,
  sent_bytes bigint,
  disk_bytes bigint,
  primary key (app_id, step, at, instance)
);
-- Rows are added in the order of time, and removed in it.
create index on deploy.usage using brin (at);

-- The same counters as in `traffic_minutes`, per quarter of an hour.
create table deploy.traffic_quarters (
  app_id uuid not null references public.resources on delete cascade,
  minute timestamptz not null,
  statuses bigint[] not null,
  latencies bigint[] not null,
  bytes_in bigint not null,
  bytes_out bigint not null,
  primary key (app_id, minute)
);
create index on deploy.traffic_quarters (minute);

create function deploy.quarter_of(minute timestamptz) returns timestamptz language sql immutable as $$
  select date_bin('15 minutes', minute, timestamptz 'epoch')
$$;

insert into deploy.traffic_quarters
with minutes as (
  select *, deploy.quarter_of(minute) as quarter from deploy.traffic_minutes
), status_counts as (
  select app_id, quarter, position, sum(count)::bigint as count
  from minutes, unnest(statuses) with ordinality as counts(count, position) group by 1, 2, 3
), latency_counts as (
  select app_id, quarter, position, sum(count)::bigint as count
  from minutes, unnest(latencies) with ordinality as counts(count, position) group by 1, 2, 3
), bytes as (
  select app_id, quarter, sum(bytes_in)::bigint as bytes_in, sum(bytes_out)::bigint as bytes_out
  from minutes group by 1, 2
), statuses as (
  select app_id, quarter, array_agg(count order by position) as statuses from status_counts group by 1, 2
), latencies as (
  select app_id, quarter, array_agg(count order by position) as latencies from latency_counts group by 1, 2
)
select app_id, quarter, coalesce(statuses.statuses, '{}'), coalesce(latencies.latencies, '{}'), bytes_in, bytes_out
from bytes left join statuses using (app_id, quarter) left join latencies using (app_id, quarter);

drop function deploy.quarter_of(timestamptz);

create view deploy.traffic as
select app_id, 1 as step, minute as at, to_jsonb(statuses) as statuses, to_jsonb(latencies) as latencies, bytes_in, bytes_out
from deploy.traffic_minutes
union all
select app_id, 15, minute, to_jsonb(statuses), to_jsonb(latencies), bytes_in, bytes_out
from deploy.traffic_quarters;

-- One notification for each owner, not for each row.
create function deploy.notify_metrics() returns trigger language plpgsql as $$
begin
  perform pg_notify('rows', json_build_object('table', tg_argv[0], 'userId', owner.user_id)::text)
  from (
    select distinct app.user_id from changed join public.resources app on app.id = changed.app_id
  ) owner;
  return null;
end $$;

create trigger notify_inserted after insert on deploy.usage referencing new table as changed
  for each statement execute function deploy.notify_metrics('usage');
create trigger notify_updated after update on deploy.usage referencing new table as changed
  for each statement execute function deploy.notify_metrics('usage');
create trigger notify_inserted after insert on deploy.traffic_minutes referencing new table as changed
  for each statement execute function deploy.notify_metrics('traffic');
create trigger notify_updated after update on deploy.traffic_minutes referencing new table as changed
  for each statement execute function deploy.notify_metrics('traffic');
