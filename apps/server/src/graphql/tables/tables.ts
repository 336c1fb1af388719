import { EVENTS } from './events.ts';
import { RELEASES } from './releases.ts';
import { RESOURCES } from './resources.ts';
import type { ColumnType, Relationship, Table, TableName } from './table.ts';

/** Every table of the data graph. One more is one more entry. */
export const TABLES: Record<TableName, Table> = {
  resources: RESOURCES,
  releases: RELEASES,
  events: EVENTS,
};

/** For a name that was checked against the schema. */
export function typeOf(table: Table, column: string): ColumnType {
  const found = table.columns[column];
  if (found === undefined) throw new Error(`${table.name} has no column ${column}`);
  return found.type;
}

export function relationshipOf(table: Table, name: string): Relationship {
  const found = table.relationships[name];
  if (found === undefined) throw new Error(`${table.name} has no relationship ${name}`);
  return found;
}
