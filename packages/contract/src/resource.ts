import type { AppValues } from './app-values.ts';
import type { IntegrationValues } from './integration-values.ts';
import type { ProjectValues } from './project-values.ts';
import { isRecord } from './type-guards.ts';

/** Stored and sent as `chart_name`; see `chartNameOf`. */
export type ResourceKind = 'project' | 'app' | 'credential';

export type ValuesOf = { project: ProjectValues; app: AppValues; credential: IntegrationValues };

/** A row of the resources table, decoded from the snake case of the wire. */
export type Resource<Kind extends ResourceKind = ResourceKind> = {
  id: string;
  userId: string;
  kind: Kind;
  chartVersion: string;
  values: ValuesOf[Kind];
  /** Set by the server only: `syncing`, `synced`, `backoff`, or a status of another backend. */
  status: string;
  message: string;
  createdAt: string;
  /** When the values last changed, or were deployed again. */
  updatedAt: string;
  deleted: boolean;
};

export type AppResource = Resource<'app'>;
export type ProjectResource = Resource<'project'>;
export type IntegrationResource = Resource<'credential'>;

const CHART_NAMES: Record<ResourceKind, string> = {
  project: 'project',
  app: 'longshore-app',
  credential: 'credential',
};

export function chartNameOf(kind: ResourceKind): string {
  return CHART_NAMES[kind];
}

export function kindOf(chartName: string): ResourceKind | undefined {
  const kinds = Object.keys(CHART_NAMES) as ResourceKind[];
  return kinds.find((kind) => CHART_NAMES[kind] === chartName);
}

export function isApp(resource: Resource): resource is AppResource {
  return resource.kind === 'app';
}

export function isProject(resource: Resource): resource is ProjectResource {
  return resource.kind === 'project';
}

export function isIntegration(resource: Resource): resource is IntegrationResource {
  return resource.kind === 'credential';
}

/** Skips rows of unknown kinds and malformed rows. */
export function decodeResources(rows: unknown): Resource[] {
  if (!Array.isArray(rows)) return [];
  return rows.map(decodeResource).filter((resource) => resource !== undefined);
}

function decodeResource(row: unknown): Resource | undefined {
  if (!isRecord(row) || typeof row.id !== 'string' || !isRecord(row.values)) return undefined;
  const kind = kindOf(stringOrEmpty(row.chart_name));
  if (kind === undefined) return undefined;
  return {
    id: row.id,
    userId: stringOrEmpty(row.user_id),
    kind,
    chartVersion: stringOrEmpty(row.chart_version),
    values: row.values as unknown as ValuesOf[ResourceKind],
    status: stringOrEmpty(row.status),
    message: stringOrEmpty(row.message),
    createdAt: stringOrEmpty(row.created_at),
    updatedAt: stringOrEmpty(row.updated_at),
    deleted: row.deleted === true,
  };
}

function stringOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
