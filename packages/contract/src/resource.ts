import type { AppValues } from './app-values.ts';
import type { IntegrationValues } from './integration-values.ts';
import { kindOf, type ResourceKind } from './kind.ts';
import { isRecord } from './parsed.ts';
import type { ProjectValues } from './project-values.ts';

export type ValuesOf = { project: ProjectValues; app: AppValues; credential: IntegrationValues };

/** A row of the one table. Spec §3; snake case ends here. */
export type Resource<Kind extends ResourceKind = ResourceKind> = {
  id: string;
  userId: string;
  kind: Kind;
  chartVersion: string;
  values: ValuesOf[Kind];
  /** Set by the server only: `syncing`, `synced`, `backoff`, or a word of another backend. */
  status: string;
  message: string;
  createdAt: string;
  updatedAt: string;
  deleted: boolean;
  /** Grows with each change of the values; a backend that is not ours does not tell it. */
  generation?: number;
};

export type AppResource = Resource<'app'>;
export type ProjectResource = Resource<'project'>;
export type IntegrationResource = Resource<'credential'>;

export function isApp(resource: Resource): resource is AppResource {
  return resource.kind === 'app';
}

export function isProject(resource: Resource): resource is ProjectResource {
  return resource.kind === 'project';
}

export function isIntegration(resource: Resource): resource is IntegrationResource {
  return resource.kind === 'credential';
}

/** Rows of unknown kinds, and rows that are not rows, are left out. */
export function decodeResources(rows: unknown): Resource[] {
  if (!Array.isArray(rows)) return [];
  return rows.map(decodeResource).filter((resource) => resource !== undefined);
}

function decodeResource(row: unknown): Resource | undefined {
  if (!isRecord(row) || typeof row.id !== 'string' || !isRecord(row.values)) return undefined;
  const kind = kindOf(textOf(row.chart_name));
  if (kind === undefined) return undefined;
  return {
    id: row.id,
    userId: textOf(row.user_id),
    kind,
    chartVersion: textOf(row.chart_version),
    values: row.values as unknown as ValuesOf[ResourceKind],
    status: textOf(row.status),
    message: textOf(row.message),
    createdAt: textOf(row.created_at),
    updatedAt: textOf(row.updated_at),
    deleted: row.deleted === true,
    ...(typeof row.generation === 'number' ? { generation: row.generation } : {}),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
