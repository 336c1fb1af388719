/** A role that sees tables; `public` sees none. */
export type Role = 'user' | 'admin';

export type TableName =
  | 'resources'
  | 'releases'
  | 'events'
  | 'deliveries'
  | 'commands'
  | 'usage'
  | 'traffic';

/** Hasura's GraphQL names of column types. */
export type ColumnType = 'uuid' | 'String' | 'jsonb' | 'timestamptz' | 'Boolean' | 'bigint' | 'Int';

/**
 * `sealedKey`: a key of a jsonb column whose values are stored encrypted. Conditions and orders cannot use it. `hiddenPath`: a
 * part of a jsonb column that no result contains.
 */
export type Column = {
  type: ColumnType;
  nullable?: true;
  sealedKey?: string;
  hiddenPath?: readonly [string, ...string[]];
};

/** `on` maps own columns to equal columns of the related table. */
export type Relationship = { to: TableName; many: boolean; on: Record<string, string> };

/** The columns that a role may read and set. */
export type Access = {
  select: readonly string[];
  insert?: readonly string[];
  update?: readonly string[];
};

/** Describes a table. The GraphQL schema and the SQL are derived from it. */
export type Table = {
  name: TableName;
  /** Its name in Postgres. */
  source: string;
  columns: Record<string, Column>;
  primaryKey: readonly string[];
  relationships: Record<string, Relationship>;
  /** The column with the owner's id, or the relationship to the row that has it. */
  owner: { column: string } | { through: string };
  roles: Record<Role, Access>;
};
