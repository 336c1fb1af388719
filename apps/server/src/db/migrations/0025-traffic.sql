-- What the edge counted, per app and minute. Arrays: responses 1xx to 5xx; durations by bucket.
create table deploy.traffic_minutes (
  app_id uuid not null references public.resources on delete cascade,
  minute timestamptz not null,
  statuses bigint[] not null,
  latencies bigint[] not null,
  bytes_in bigint not null,
  bytes_out bigint not null,
  primary key (app_id, minute)
);
create index on deploy.traffic_minutes (minute);

-- The last stored batch of each run of the edge. A batch that is sent again is not counted again.
create table deploy.traffic_runs (
  run text primary key,
  batch bigint not null,
  stored_at timestamptz not null default now()
);
