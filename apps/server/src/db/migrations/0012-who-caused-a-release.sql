-- Who or what caused the wishes of today. Hibernating and waking leave it: a release is not made of that.
alter table public.resources add column cause jsonb;

-- The same of a release. Nobody kept it until now, and nothing is claimed of those that were made before.
alter table deploy.releases add column cause jsonb;

-- A person as the history tells them. `token`: the name of the personal access token they signed in with, if any.
create function deploy.person(person_id uuid, session_id uuid) returns jsonb language sql stable as $$
  select coalesce((
    select jsonb_strip_nulls(jsonb_build_object(
      'userId', person.id,
      'name', left(person.display_name, 100),
      'token', (
        select left(coalesce(token.metadata ->> 'name', ''), 100)
        from auth.refresh_tokens as session
        join auth.personal_access_tokens as token on token.id = session.personal_access_token_id
        where session.id = session_id and session.user_id = person.id
      )
    ))
    from auth.users as person where person.id = person_id
  ), '{}')
$$;

create or replace function deploy.complete_release() returns trigger language plpgsql as $$
begin
  new.user_id := (select user_id from public.resources where id = new.app_id);
  -- What was wished since has a cause of its own.
  new.cause := (
    select cause from public.resources where id = new.app_id and generation = new.generation
  );
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
      new.from_release, new.cause, new.started_at)
    is distinct from (old.app_id, old.number, old.generation, old.wish, old.user_id, old.made_of, old.env,
      old.env_marks, old.from_release, old.cause, old.started_at)
    or (old.revision is not null and new.revision is distinct from old.revision)
    or (old.outcome is not null and new.outcome is distinct from old.outcome)
  then
    raise exception 'What a release was made of, and how it ended, does not change';
  end if;
  return new;
end $$;
