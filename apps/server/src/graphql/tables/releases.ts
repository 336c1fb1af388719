import type { Table } from './table.ts';

const COLUMNS = {
  app_id: { type: 'uuid' },
  number: { type: 'Int' },
  generation: { type: 'bigint' },
  user_id: { type: 'uuid' },
  made_of: { type: 'jsonb' },
  env_marks: { type: 'jsonb' },
  from_release: { type: 'Int', nullable: true },
  cause: { type: 'jsonb', nullable: true },
  revision: { type: 'String', nullable: true },
  phases: { type: 'jsonb' },
  outcome: { type: 'String', nullable: true },
  reason: { type: 'String', nullable: true },
  message: { type: 'String', nullable: true },
  evidence: { type: 'jsonb' },
  started_at: { type: 'timestamptz' },
  ended_at: { type: 'timestamptz', nullable: true },
} as const;

/** The attempts to run an app. Only the reconciler writes them. The values of their environment are shown to nobody. */
export const RELEASES: Table = {
  name: 'releases',
  source: 'deploy.releases',
  columns: COLUMNS,
  primaryKey: ['app_id', 'number'],
  relationships: { app: { to: 'resources', many: false, on: { app_id: 'id' } } },
  owner: { through: 'app' },
  roles: { user: { select: Object.keys(COLUMNS) }, admin: { select: Object.keys(COLUMNS) } },
};
