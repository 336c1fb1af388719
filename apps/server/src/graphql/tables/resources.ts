import type { Table } from './table.ts';

const COLUMNS = {
  id: { type: 'uuid' },
  user_id: { type: 'uuid' },
  chart_name: { type: 'String' },
  chart_version: { type: 'String' },
  values: { type: 'jsonb' },
  status: { type: 'String', nullable: true },
  message: { type: 'String', nullable: true },
  created_at: { type: 'timestamptz' },
  updated_at: { type: 'timestamptz' },
  deleted: { type: 'Boolean' },
  generation: { type: 'bigint' },
} as const;

/** Spec §3. `status`, `message`, `generation` and the times are the server's, whoever asks. */
export const RESOURCES: Table = {
  name: 'resources',
  source: 'public.resources',
  columns: COLUMNS,
  primaryKey: ['id'],
  relationships: {
    releases: { to: 'releases', many: true, on: { id: 'app_id' } },
    events: { to: 'events', many: true, on: { id: 'app_id' } },
  },
  owner: { column: 'user_id' },
  roles: {
    user: {
      select: Object.keys(COLUMNS),
      insert: ['user_id', 'chart_name', 'chart_version', 'values'],
      update: ['values', 'deleted'],
    },
    admin: {
      select: Object.keys(COLUMNS),
      insert: ['id', 'user_id', 'chart_name', 'chart_version', 'values'],
      update: ['chart_version', 'values', 'deleted'],
    },
  },
};
