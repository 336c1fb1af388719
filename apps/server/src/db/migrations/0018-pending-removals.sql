-- Deleted apps whose removal is not complete: they still use memory and disk of their owner.
create index on public.resources (user_id)
  where chart_name = 'longshore-app' and deleted and observed_generation <> generation;
