import type { Table } from './table.ts';

const COLUMNS = {
  id: { type: 'bigint' },
  app_id: { type: 'uuid' },
  user_id: { type: 'uuid' },
  kind: { type: 'String' },
  details: { type: 'jsonb' },
  at: { type: 'timestamptz' },
} as const;

/** What happened to an app. Triggers of the database write it. */
export const EVENTS: Table = {
  name: 'events',
  source: 'deploy.events',
  columns: COLUMNS,
  primaryKey: ['id'],
  relationships: { app: { to: 'resources', many: false, on: { app_id: 'id' } } },
  owner: { column: 'user_id' },
  roles: { user: { select: Object.keys(COLUMNS) }, admin: { select: Object.keys(COLUMNS) } },
};
