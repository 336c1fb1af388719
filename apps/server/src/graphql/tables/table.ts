/** A role with a schema of its own. `public` has none: it sees no table. */
export type Role = 'user' | 'admin';

export type TableName = 'resources' | 'releases' | 'events';

/** GraphQL's names of the types of columns, which are Hasura's. */
export type ColumnType = 'uuid' | 'String' | 'jsonb' | 'timestamptz' | 'Boolean' | 'bigint' | 'Int';

export type Column = { type: ColumnType; nullable?: true };

/** `on` says which own column equals which of theirs. */
export type Relationship = { to: TableName; many: boolean; on: Record<string, string> };

/** The columns a role may read and set. What is left out, it may not. */
export type Access = {
  select: readonly string[];
  insert?: readonly string[];
  update?: readonly string[];
};

/** A table, described once: schema, arguments and SQL come from this. */
export type Table = {
  name: TableName;
  /** Its name in the database. */
  source: string;
  columns: Record<string, Column>;
  primaryKey: readonly string[];
  relationships: Record<string, Relationship>;
  /** Whose a row is: the column that says so, or the relationship to the row that does. */
  owner: { column: string } | { through: string };
  roles: Record<Role, Access>;
};
