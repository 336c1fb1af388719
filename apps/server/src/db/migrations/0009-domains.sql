-- A custom domain belongs to the app for which it was first seen to lead here.
create table deploy.domains (
  domain text primary key,
  app_id uuid not null unique references public.resources on delete cascade,
  verified_at timestamptz not null default now()
);

-- What an app gave up meanwhile it does not hold any more.
create view deploy.held_domains as
  select held.domain, held.app_id
  from deploy.domains as held
  join public.resources as app on app.id = held.app_id
  where not app.deleted
    and app.values #>> '{publicAccess,domain}' = held.domain
    and app.values #> '{publicAccess,enabled}' = 'true';
