/** The columns of `resources` that the role `user` may see, with their GraphQL types. Spec §3. */
export const RESOURCE_COLUMNS = {
  id: 'uuid!',
  user_id: 'uuid!',
  chart_name: 'String!',
  chart_version: 'String!',
  values: 'jsonb!',
  status: 'String',
  message: 'String',
  created_at: 'timestamptz!',
  updated_at: 'timestamptz!',
  deleted: 'Boolean!',
  generation: 'bigint!',
} as const;

export type ResourceColumn = keyof typeof RESOURCE_COLUMNS;

export const RESOURCE_COLUMN_NAMES = Object.keys(RESOURCE_COLUMNS) as ResourceColumn[];

/** What the user gives; `status`, `message`, `generation` and the times are the server's. */
export const INSERT_COLUMNS = ['user_id', 'chart_name', 'chart_version', 'values'] as const;
export const UPDATE_COLUMNS = ['values', 'deleted'] as const;
