-- A release holds what it was made of, so that it can be started, and gone back to, whatever was wished since.
alter table deploy.releases
  add column user_id uuid references auth.users on delete cascade,
  -- The wishes it was made of, but for the environment.
  add column made_of jsonb,
  -- Values may be secrets: nobody is shown this column.
  add column env jsonb,
  -- In place of each value, the number of the first release that had it: equal where the values are.
  add column env_marks jsonb,
  -- The release whose build it took over.
  add column from_release integer,
  add column message text;

-- Until now nobody kept it; the wishes of today are the nearest to it.
update deploy.releases as release set
  user_id = app.user_id,
  made_of = app.values - array['name', 'projectId', 'publicAccess', 'instances', 'env'],
  env = coalesce(app.values -> 'env', '{}'),
  env_marks = (
    select coalesce(jsonb_object_agg(key, release.number), '{}')
    from jsonb_object_keys(app.values -> 'env') as key
  )
from public.resources as app where app.id = release.app_id;

alter table deploy.releases
  alter column user_id set not null,
  alter column made_of set not null,
  alter column env set not null,
  alter column env_marks set not null;
create index on deploy.releases (user_id);

create function deploy.complete_release() returns trigger language plpgsql as $$
begin
  new.user_id := (select user_id from public.resources where id = new.app_id);
  new.env_marks := (
    select coalesce(jsonb_object_agg(variable.key, coalesce((
      select min(earlier.number) from deploy.releases as earlier
      where earlier.app_id = new.app_id and earlier.env -> variable.key = variable.value
    ), new.number)), '{}')
    from jsonb_each(new.env) as variable
  );
  return new;
end $$;

create trigger complete_release before insert on deploy.releases
  for each row execute function deploy.complete_release();

create function deploy.keep_release() returns trigger language plpgsql as $$
begin
  if (new.app_id, new.number, new.generation, new.wish, new.user_id, new.made_of, new.env, new.env_marks,
      new.from_release, new.started_at)
    is distinct from (old.app_id, old.number, old.generation, old.wish, old.user_id, old.made_of, old.env,
      old.env_marks, old.from_release, old.started_at)
    or (old.revision is not null and new.revision is distinct from old.revision)
    or (old.outcome is not null and new.outcome is distinct from old.outcome)
  then
    raise exception 'What a release was made of, and how it ended, does not change';
  end if;
  return new;
end $$;

create trigger keep_release before update on deploy.releases
  for each row execute function deploy.keep_release();
