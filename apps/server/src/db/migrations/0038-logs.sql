-- With LONGSHORE_STATE=shared, the lines of apps and the records of the engine are stored here instead of in files.

-- Counts the servers that have become the writer. What an earlier one still has to write is rejected.
create table deploy.log_writer (
  is_only boolean primary key default true check (is_only),
  term bigint not null
);
insert into deploy.log_writer (term) values (0);

-- `term`: of the server that may write to it. `last_sequence`: the number of its last line. Updated with each write.
create table deploy.logs (
  app_id uuid not null,
  log text not null check (log in ('output', 'access')),
  term bigint not null,
  last_sequence bigint not null,
  primary key (app_id, log)
) with (fillfactor = 50);

-- The lines of the instances, of a build or of a command.
create table deploy.log_streams (
  app_id uuid not null,
  log text not null,
  stream text not null,
  last_sequence bigint not null,
  primary key (app_id, log, stream),
  foreign key (app_id, log) references deploy.logs on delete cascade
) with (fillfactor = 50);

-- A part of a segment. `segment`: the number of its first line. `start` and `size`: in bytes before compression.
create table deploy.log_chunks (
  app_id uuid not null,
  log text not null,
  stream text not null,
  segment bigint not null,
  start integer not null,
  size integer not null,
  content bytea not null,
  primary key (app_id, log, stream, segment, start),
  foreign key (app_id, log, stream) references deploy.log_streams on delete cascade
);
-- It is compressed already.
alter table deploy.log_chunks alter column content set storage external;

-- Small values of the engine by their path.
create table deploy.engine_records (
  path text collate "C" primary key,
  value jsonb not null
);
