-- What an account puts into a TXT record to prove its domains.
create table deploy.domain_tokens (
  user_id uuid primary key references auth.users on delete cascade,
  token text not null unique
);

-- What DNS answered for a domain, and when it is asked next. Null: not before somebody asks for it.
create table deploy.domain_checks (
  domain text primary key,
  checked_at timestamptz,
  answers jsonb,
  next_check_at timestamptz
);

-- A claim is a custom domain in the settings of an app. It reserves nothing: the app that is routed is the one whose
-- claim is proved best (decision 70).
create table deploy.domain_claims (
  domain text not null,
  app_id uuid not null references public.resources on delete cascade,
  user_id uuid not null references auth.users on delete cascade,
  claimed_at timestamptz not null default now(),
  proof text check (proof in ('txt', 'cname', 'a')),
  proved_since timestamptz,
  -- When a check last found a proof, and the first check since then that found none.
  proved_at timestamptz,
  missing_since timestamptz,
  -- Routed without a proof until then.
  routed_until timestamptz,
  is_routed boolean not null default false,
  primary key (domain, app_id)
);
create unique index on deploy.domain_claims (domain) where is_routed;
create index on deploy.domain_claims (app_id);
create index on deploy.domain_claims (user_id);
create index on deploy.domain_checks (next_check_at);

-- A new claim is checked at once. When one ends, another one of the same domain may be routed.
create function deploy.request_domain_check() returns trigger language plpgsql as $$
begin
  insert into deploy.domain_checks (domain, next_check_at) values (coalesce(new.domain, old.domain), now())
  on conflict (domain) do update set next_check_at = excluded.next_check_at;
  return null;
end $$;
create trigger request_check after insert or delete on deploy.domain_claims
  for each row execute function deploy.request_domain_check();

-- A name that is longer than DNS allows cannot be a domain: the settings of an app that is not public are not checked.
create function deploy.custom_domains(app_values jsonb) returns setof text language sql immutable as $$
  select distinct named.domain from (
    select app_values #>> '{publicAccess,domain}' as domain
    union all
    select jsonb_array_elements_text(
      case jsonb_typeof(app_values #> '{publicAccess,domains}')
        when 'array' then app_values #> '{publicAccess,domains}' else '[]' end
    )
  ) as named
  where named.domain not in ('', 'auto') and length(named.domain) <= 253
  order by named.domain
$$;

-- A claim lasts as long as the setting, also while the app is hibernated or not public.
create function deploy.sync_domain_claims() returns trigger language plpgsql as $$
begin
  delete from deploy.domain_claims
  where app_id = new.id and (new.deleted or domain not in (select deploy.custom_domains(new.values)));
  if not new.deleted then
    insert into deploy.domain_claims (domain, app_id, user_id)
    select domain, new.id, new.user_id from deploy.custom_domains(new.values) as domain
    on conflict do nothing;
  end if;
  return null;
end $$;
create trigger sync_domain_claims after insert or update of values, deleted on public.resources
  for each row when (new.chart_name = 'longshore-app') execute function deploy.sync_domain_claims();

-- Domains that are routed today stay routed for 30 days: of the app for which DNS was verified, or else of the oldest.
insert into deploy.domain_claims (domain, app_id, user_id, is_routed, routed_until)
select domain, app_id, user_id, is_first and is_public,
  case when is_first and is_public then now() + interval '30 days' end
from (
  select custom.domain, app.id as app_id, app.user_id, public_access.is_public,
    row_number() over (
      partition by custom.domain
      order by public_access.is_public desc, verified.app_id is null, app.created_at, app.id
    ) = 1 as is_first
  from public.resources as app
  cross join lateral deploy.custom_domains(app.values) as custom (domain)
  cross join lateral (
    select coalesce(app.values #> '{publicAccess,enabled}' = 'true', false) as is_public
  ) as public_access
  left join deploy.domains as verified on verified.domain = custom.domain and verified.app_id = app.id
  where app.chart_name = 'longshore-app' and not app.deleted
) as claims
order by domain, app_id;

drop view deploy.held_domains;
drop table deploy.domains;
