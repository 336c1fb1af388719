-- A release that goes on after an edit that does not change it is the attempt for that edit, too.
create or replace function deploy.keep_release() returns trigger language plpgsql as $$
begin
  if (new.app_id, new.number, new.wish, new.user_id, new.made_of, new.env, new.env_marks,
      new.from_release, new.cause, new.pin, new.started_at)
    is distinct from (old.app_id, old.number, old.wish, old.user_id, old.made_of, old.env,
      old.env_marks, old.from_release, old.cause, old.pin, old.started_at)
    or new.generation < old.generation
    or (old.outcome is not null and new.generation is distinct from old.generation)
    or (old.revision is not null and new.revision is distinct from old.revision)
    or (old.outcome is not null and new.outcome is distinct from old.outcome
      and not (old.outcome = 'live' and new.outcome = 'failed'))
  then
    raise exception 'What a release was made of, and how it ended, does not change';
  end if;
  return new;
end $$;
