import type { ColumnType, Relationship, Table, TableName } from './table.ts';

const RESOURCE_COLUMNS = {
  id: { type: 'uuid' },
  user_id: { type: 'uuid' },
  chart_name: { type: 'String' },
  chart_version: { type: 'String' },
  values: { type: 'jsonb', sealedKey: 'env', hiddenPath: ['edge', 'basicAuth', 'password'] },
  status: { type: 'String', nullable: true },
  message: { type: 'String', nullable: true },
  created_at: { type: 'timestamptz' },
  updated_at: { type: 'timestamptz' },
  deleted: { type: 'Boolean' },
  generation: { type: 'bigint' },
  serving: { type: 'jsonb', nullable: true },
  retry: { type: 'jsonb', nullable: true },
  pin: { type: 'jsonb', nullable: true },
} as const;

/** Projects, apps and integrations (spec-map 3.1). No role may set what the server writes: status, message, generation, serving, retry and times. */
export const RESOURCES: Table = {
  name: 'resources',
  source: 'public.resources',
  columns: RESOURCE_COLUMNS,
  primaryKey: ['id'],
  relationships: {
    releases: { to: 'releases', many: true, on: { id: 'app_id' } },
    events: { to: 'events', many: true, on: { id: 'app_id' } },
    deliveries: { to: 'deliveries', many: true, on: { id: 'app_id' } },
  },
  owner: { column: 'user_id' },
  roles: {
    user: {
      select: Object.keys(RESOURCE_COLUMNS),
      insert: ['user_id', 'chart_name', 'chart_version', 'values'],
      update: ['values', 'deleted'],
    },
    admin: {
      select: Object.keys(RESOURCE_COLUMNS),
      insert: ['id', 'user_id', 'chart_name', 'chart_version', 'values'],
      update: ['chart_version', 'values', 'deleted'],
    },
  },
};

const RELEASE_COLUMNS = {
  app_id: { type: 'uuid' },
  number: { type: 'Int' },
  generation: { type: 'bigint' },
  user_id: { type: 'uuid' },
  made_of: { type: 'jsonb' },
  env_marks: { type: 'jsonb' },
  from_release: { type: 'Int', nullable: true },
  build_inputs: { type: 'jsonb', nullable: true },
  cause: { type: 'jsonb', nullable: true },
  pin: { type: 'jsonb', nullable: true },
  revision: { type: 'String', nullable: true },
  phases: { type: 'jsonb' },
  outcome: { type: 'String', nullable: true },
  reason: { type: 'String', nullable: true },
  message: { type: 'String', nullable: true },
  evidence: { type: 'jsonb' },
  fixes: { type: 'jsonb' },
  detected: { type: 'jsonb' },
  started_at: { type: 'timestamptz' },
  ended_at: { type: 'timestamptz', nullable: true },
} as const;

/** Attempts to run an app, written by the reconciler alone. The values of their environment are never exposed. */
const RELEASES: Table = {
  name: 'releases',
  source: 'deploy.releases',
  columns: RELEASE_COLUMNS,
  primaryKey: ['app_id', 'number'],
  relationships: { app: { to: 'resources', many: false, on: { app_id: 'id' } } },
  owner: { through: 'app' },
  roles: {
    user: { select: Object.keys(RELEASE_COLUMNS) },
    admin: { select: Object.keys(RELEASE_COLUMNS) },
  },
};

const EVENT_COLUMNS = {
  id: { type: 'bigint' },
  app_id: { type: 'uuid' },
  user_id: { type: 'uuid' },
  kind: { type: 'String' },
  details: { type: 'jsonb' },
  at: { type: 'timestamptz' },
} as const;

/** What happened to an app, written by database triggers. */
const EVENTS: Table = {
  name: 'events',
  source: 'deploy.events',
  columns: EVENT_COLUMNS,
  primaryKey: ['id'],
  relationships: { app: { to: 'resources', many: false, on: { app_id: 'id' } } },
  owner: { column: 'user_id' },
  roles: {
    user: { select: Object.keys(EVENT_COLUMNS) },
    admin: { select: Object.keys(EVENT_COLUMNS) },
  },
};

const DELIVERY_COLUMNS = {
  id: { type: 'bigint' },
  app_id: { type: 'uuid' },
  at: { type: 'timestamptz' },
  event: { type: 'String' },
  push: { type: 'jsonb', nullable: true },
  outcome: { type: 'String' },
  reason: { type: 'String' },
  is_replay: { type: 'Boolean' },
} as const;

/** Webhook deliveries, written by the integrations service alone. */
const DELIVERIES: Table = {
  name: 'deliveries',
  source: 'connect.deliveries',
  columns: DELIVERY_COLUMNS,
  primaryKey: ['id'],
  relationships: { app: { to: 'resources', many: false, on: { app_id: 'id' } } },
  owner: { through: 'app' },
  roles: {
    user: { select: Object.keys(DELIVERY_COLUMNS) },
    admin: { select: Object.keys(DELIVERY_COLUMNS) },
  },
};

const USAGE_COLUMNS = {
  app_id: { type: 'uuid' },
  step: { type: 'Int' },
  at: { type: 'timestamptz' },
  instance: { type: 'String' },
  covered_ms: { type: 'Int' },
  cpu_ms: { type: 'Int', nullable: true },
  memory_bytes: { type: 'bigint', nullable: true },
  received_bytes: { type: 'bigint', nullable: true },
  sent_bytes: { type: 'bigint', nullable: true },
  disk_bytes: { type: 'bigint', nullable: true },
} as const;

/** What instances used, written by the usage sampler alone. */
const USAGE: Table = {
  name: 'usage',
  source: 'deploy.usage',
  columns: USAGE_COLUMNS,
  primaryKey: ['app_id', 'step', 'at', 'instance'],
  relationships: { app: { to: 'resources', many: false, on: { app_id: 'id' } } },
  owner: { through: 'app' },
  roles: {
    user: { select: Object.keys(USAGE_COLUMNS) },
    admin: { select: Object.keys(USAGE_COLUMNS) },
  },
};

const TRAFFIC_COLUMNS = {
  app_id: { type: 'uuid' },
  step: { type: 'Int' },
  at: { type: 'timestamptz' },
  statuses: { type: 'jsonb' },
  latencies: { type: 'jsonb' },
  bytes_in: { type: 'bigint' },
  bytes_out: { type: 'bigint' },
} as const;

/** The requests that the edge counted. */
const TRAFFIC: Table = {
  name: 'traffic',
  source: 'deploy.traffic',
  columns: TRAFFIC_COLUMNS,
  primaryKey: ['app_id', 'step', 'at'],
  relationships: { app: { to: 'resources', many: false, on: { app_id: 'id' } } },
  owner: { through: 'app' },
  roles: {
    user: { select: Object.keys(TRAFFIC_COLUMNS) },
    admin: { select: Object.keys(TRAFFIC_COLUMNS) },
  },
};

const COMMAND_COLUMNS = {
  app_id: { type: 'uuid' },
  number: { type: 'Int' },
  command: { type: 'String' },
  release: { type: 'Int' },
  timeout_seconds: { type: 'Int' },
  state: { type: 'String' },
  exit_code: { type: 'Int', nullable: true },
  message: { type: 'String', nullable: true },
  actor: { type: 'jsonb' },
  started_at: { type: 'timestamptz' },
  ended_at: { type: 'timestamptz', nullable: true },
} as const;

/** Commands that users ran in an app, written by `run_command` and the command runner alone. */
const COMMANDS: Table = {
  name: 'commands',
  source: 'deploy.commands',
  columns: COMMAND_COLUMNS,
  primaryKey: ['app_id', 'number'],
  relationships: { app: { to: 'resources', many: false, on: { app_id: 'id' } } },
  owner: { through: 'app' },
  roles: {
    user: { select: Object.keys(COMMAND_COLUMNS) },
    admin: { select: Object.keys(COMMAND_COLUMNS) },
  },
};

/** Every table that GraphQL exposes. */
export const TABLES: Record<TableName, Table> = {
  resources: RESOURCES,
  releases: RELEASES,
  events: EVENTS,
  deliveries: DELIVERIES,
  commands: COMMANDS,
  usage: USAGE,
  traffic: TRAFFIC,
};

/** The name was checked against the schema. */
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
