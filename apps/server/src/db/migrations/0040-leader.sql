-- Where the server is that leads, among several on this database: the others forward requests to it.
create table deploy.leader (
  is_single boolean primary key default true check (is_single),
  address text not null,
  term integer not null default 1
);
