-- The settings `edge` are applied to requests and `watchPaths` to pushes, not to a release or an instance. A change of them
-- alone is no new generation: a build continues, and a failed release is not retried.
create function public.reconciled_values(settings jsonb) returns jsonb language sql immutable as $$
  select case when jsonb_typeof(settings) = 'object' then settings - 'edge' - 'watchPaths' else settings end
$$;

create or replace function public.count_resource_generation() returns trigger language plpgsql as $$
begin
  if (new.deleted, new.redeploys) is distinct from (old.deleted, old.redeploys)
    or public.reconciled_values(new.values) is distinct from public.reconciled_values(old.values) then
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

drop function public.values_without_edge(jsonb);

-- The files that a push changed, if all are known, to decide about it again when it is replayed.
alter table connect.deliveries add column files jsonb;
