-- A row that is gone for good is told like one that changed.
create function public.tell_resource_removal() returns trigger language plpgsql as $$
begin
  perform pg_notify('rows', json_build_object('table', 'resources', 'userId', old.user_id)::text);
  return null;
end $$;

create trigger tell_removal after delete on public.resources
  for each row execute function public.tell_resource_removal();

-- Tells open connections that a session is over: signed out, revoked, or its user disabled or gone.
create function auth.tell_session_end() returns trigger language plpgsql as $$
begin
  perform pg_notify('sessions', json_build_object('userId', old.user_id, 'sessionId', old.id)::text);
  return null;
end $$;

create trigger tell_end after delete on auth.refresh_tokens
  for each row execute function auth.tell_session_end();

create function auth.tell_user_end() returns trigger language plpgsql as $$
begin
  perform pg_notify('sessions', json_build_object('userId', old.id)::text);
  return null;
end $$;

create trigger tell_disabled after update of disabled on auth.users
  for each row when (new.disabled and not old.disabled) execute function auth.tell_user_end();
create trigger tell_end after delete on auth.users
  for each row execute function auth.tell_user_end();
