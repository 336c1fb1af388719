-- What the reconciler observes of an app beside its status, for the console.
-- serving: the release that receives the traffic, the log name of its instance and its host names.
-- retry: when a failed app is tried again, and whether its owner asked to do it at once (requested).
alter table public.resources add column serving jsonb, add column retry jsonb;

create or replace function public.tell_resource_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('resources', json_build_object(
    'id', new.id,
    'userId', new.user_id,
    'chartName', new.chart_name,
    'generation', new.generation,
    'wished', tg_op = 'INSERT' or new.generation is distinct from old.generation,
    'retry', coalesce(new.retry ? 'requested', false)
  )::text);
  return null;
end $$;
