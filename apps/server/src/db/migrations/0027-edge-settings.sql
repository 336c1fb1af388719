-- The settings `edge` of an app are applied to requests, not to a release or an instance. A change of them alone is no new
-- generation: a build continues, and a failed release is not retried.
create function public.values_without_edge(settings jsonb) returns jsonb language sql immutable as $$
  select case when jsonb_typeof(settings) = 'object' then settings - 'edge' else settings end
$$;

create or replace function public.count_resource_generation() returns trigger language plpgsql as $$
begin
  if (new.deleted, new.redeploys) is distinct from (old.deleted, old.redeploys)
    or public.values_without_edge(new.values) is distinct from public.values_without_edge(old.values) then
    new.generation := old.generation + 1;
    new.updated_at := now();
    -- A status never outlives the desired state that it describes.
    if new.chart_name = 'longshore-app' then
      new.status := 'syncing';
      new.message := 'Waiting to reconcile';
    end if;
  elsif new.values is distinct from old.values then
    new.updated_at := now();
  end if;
  return new;
end $$;

create or replace function public.tell_resource_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('resources', json_build_object(
    'id', new.id,
    'userId', new.user_id,
    'chartName', new.chart_name,
    'generation', new.generation,
    'wished', tg_op = 'INSERT' or new.generation is distinct from old.generation,
    'retry', coalesce(new.retry ? 'requested', false),
    'edge', tg_op = 'UPDATE' and new.values -> 'edge' is distinct from old.values -> 'edge'
  )::text);
  return null;
end $$;
