-- A rollback pins an app to the commit or digest of a release. `follows` is the branch, tag or image name that the app
-- followed before, so that it can resume.
alter table public.resources add column pin jsonb;
alter table deploy.releases add column pin jsonb;

-- Apps that were rolled back before pins were stored, and have had the same source since.
update public.resources as app set pin = jsonb_build_object('release', target.number, 'follows', target.follows)
from (
  select distinct on (rollback.app_id) rollback.app_id, rollback.made_of, target.number,
    case when (target.made_of #> '{source,enabled}')::boolean then target.made_of #>> '{source,ref}'
      else target.made_of #>> '{container,image}' end as follows
  from deploy.releases as rollback
  join deploy.releases as target
    on target.app_id = rollback.app_id and target.number = (rollback.cause ->> 'to')::integer
  where rollback.cause ->> 'kind' = 'rollback'
  order by rollback.app_id, rollback.number desc
) as target
where app.id = target.app_id
  and app.values #> '{source,enabled}' = target.made_of #> '{source,enabled}'
  and case when (app.values #> '{source,enabled}')::boolean
    then app.values #>> '{source,url}' = target.made_of #>> '{source,url}'
      and app.values #>> '{source,ref}' = target.made_of #>> '{source,ref}'
      and app.values #>> '{source,ref}' <> target.follows
    else app.values #>> '{container,image}' = target.made_of #>> '{container,image}'
      and app.values #>> '{container,image}' <> target.follows
  end;

create or replace function deploy.complete_release() returns trigger language plpgsql as $$
begin
  new.user_id := (select user_id from public.resources where id = new.app_id);
  -- Later values have a cause and a pin of their own.
  select cause, pin into new.cause, new.pin
  from public.resources where id = new.app_id and generation = new.generation;
  new.env_marks := (
    select coalesce(jsonb_object_agg(variable.key, coalesce((
      select min(earlier.number) from deploy.releases as earlier
      where earlier.app_id = new.app_id and earlier.env -> variable.key = variable.value
    ), new.number)), '{}')
    from jsonb_each(new.env) as variable
  );
  return new;
end $$;

create or replace function deploy.keep_release() returns trigger language plpgsql as $$
begin
  if (new.app_id, new.number, new.generation, new.wish, new.user_id, new.made_of, new.env, new.env_marks,
      new.from_release, new.cause, new.pin, new.started_at)
    is distinct from (old.app_id, old.number, old.generation, old.wish, old.user_id, old.made_of, old.env,
      old.env_marks, old.from_release, old.cause, old.pin, old.started_at)
    or (old.revision is not null and new.revision is distinct from old.revision)
    or (old.outcome is not null and new.outcome is distinct from old.outcome)
  then
    raise exception 'What a release was made of, and how it ended, does not change';
  end if;
  return new;
end $$;
