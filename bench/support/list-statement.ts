/** The statement that Longshore generates for `listOf`: a user's resources as JSON. */
export const LIST_STATEMENT = `select coalesce(json_agg("row"), '[]')::text as json from (
  select id, chart_name, values, status, message from public.resources where user_id = $1::uuid limit 10000
) as "row"`;
