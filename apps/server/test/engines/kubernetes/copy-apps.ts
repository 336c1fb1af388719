import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type AppValues, chartNameOf } from '@longshore/contract';
import { sql } from 'kysely';
import { desiredHashes } from '../../../src/apps/desired-hashes.ts';
import { createVariables } from '../../../src/apps/variables.ts';
import type { Database } from '../../../src/db/database.ts';
import { appLabel, LABELS, namespaceOf } from '../../../src/engines/kubernetes/ownership.ts';
import { createKeyFolder } from '../../../src/secrets/key-folder.ts';
import { openSealedValues } from '../../../src/secrets/open-sealed-values.ts';
import { openBenchDatabase } from '../../bench-database.ts';
import type { Cluster } from './cluster.ts';
import { stopControllers } from './cluster-outages.ts';
import { type EtcdEntry, readEtcd, writeEtcd } from './etcd.ts';

/** An app that a server has deployed. Its name has as many characters as those of its copies. */
type ModelApp = { id: string; projectId: string; name: string };
type CopiedApp = ModelApp & { values: AppValues };

type CopyOptions = {
  cluster: Pick<Cluster, 'etcd' | 'kubectl' | 'kubeconfig'>;
  /** Of a server that does not run. */
  dataDir: string;
  model: ModelApp;
  projects: number;
  apps: number;
};

const PREFIX = 'longshore';
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;
/** Not that of the namespace of the server, which its rights refer to. */
const ALL_UUIDS = new RegExp(`(?<!server-)${UUID.source}`, 'g');
const NODE = /simulated-\d{4}/g;
/** What the cluster creates by itself in a new namespace. */
const OF_CLUSTER =
  /^\/registry\/(?:events|serviceaccounts|endpointslices|services\/endpoints)\/|kube-root-ca/;
const ROWS_AT_ONCE = 1_000;
const APPS_AT_ONCE = 20;

/**
 * Copies the rows and the objects of an app, much faster than a server could deploy them: into the database, and into etcd. The copies
 * differ in ids, names and nodes only, so servers and controllers find them settled.
 */
export async function copyApps(options: CopyOptions): Promise<CopiedApp[]> {
  const { projects, apps } = options;
  const projectIds = Array.from({ length: projects }, () => randomUUID());
  const copies = Array.from({ length: apps }, (_, index) => ({
    id: randomUUID(),
    projectId: projectIds[index % projects] ?? '',
    name: `app-${String(index + 1).padStart(5, '0')}`,
  }));
  const values = await copyRows(copies, projectIds, options);
  await copyObjects(copies, projectIds, options);
  return copies.map((copy) => ({ ...copy, values: { ...values, ...named(copy) } }));
}

function named({ projectId, name }: ModelApp) {
  return { projectId, name };
}

async function copyRows(
  copies: ModelApp[],
  projectIds: string[],
  { dataDir, model }: CopyOptions,
): Promise<AppValues> {
  // Postgres may end connections before they are closed.
  const { db, stop } = await openBenchDatabase(dataDir, () => {});
  try {
    return await db.connection().execute(async (connection) => {
      // Without triggers: nothing has changed that somebody could be notified of.
      await sql`set session_replication_role = replica`.execute(connection);
      return await insertCopies(copies, projectIds, { db: connection, dataDir, model });
    });
  } finally {
    await stop();
  }
}

async function insertCopies(
  copies: ModelApp[],
  projectIds: string[],
  { db, dataDir, model }: { db: Database; dataDir: string; model: ModelApp },
): Promise<AppValues> {
  const sealed = await openSealedValues(db, createKeyFolder(join(dataDir, 'keys')));
  const { hashOfRelease } = createVariables(sealed);
  const { rows } = await sql<{ values: AppValues; hash: string }>`
    select values, wish as hash from public.resources join deploy.releases on app_id = id where id = ${model.id}`.execute(
    db,
  );
  const [row] = rows;
  if (row === undefined || rows.length > 1) throw new Error('The model has no single release');
  const hashOf = (app: ModelApp) => {
    const [desired] = desiredHashes({ ...row.values, ...named(app) }, 0);
    return hashOfRelease(app.id, desired);
  };
  if (hashOf(model) !== row.hash) throw new Error('The hash of a release is computed otherwise');
  await sql`
    insert into public.resources
    select copy.* from public.resources as model, unnest(${projectIds}::uuid[]) as project,
      jsonb_populate_record(model, jsonb_build_object('id', project)) as copy
    where model.id = ${model.projectId} and model.chart_name = ${chartNameOf('project')}`.execute(
    db,
  );
  for (let at = 0; at < copies.length; at += ROWS_AT_ONCE) {
    const part = copies.slice(at, at + ROWS_AT_ONCE);
    const copied = part.map((app) => ({ ...app, hash: hashOf(app) }));
    await insertApps(copied, model, db);
  }
  await sql`analyze`.execute(db);
  return row.values;
}

async function insertApps(copies: (ModelApp & { hash: string })[], model: ModelApp, db: Database) {
  const ids = copies.map(({ id }) => id);
  const projects = copies.map(({ projectId }) => projectId);
  const names = copies.map(({ name }) => name);
  const releases = copies.map(({ id, hash }) => ({
    app_id: id,
    wish: hash,
  }));
  await sql`
    insert into public.resources
    select copy.* from public.resources as model,
      unnest(${ids}::uuid[], ${projects}::text[], ${names}::text[]) as app (id, project, name),
      jsonb_populate_record(model, jsonb_build_object('id', app.id, 'values',
        model.values || jsonb_build_object('projectId', app.project, 'name', app.name))) as copy
    where model.id = ${model.id}`.execute(db);
  await sql`
    insert into deploy.releases
    select copy.* from deploy.releases as model,
      jsonb_array_elements(${JSON.stringify(releases)}::jsonb) as release,
      jsonb_populate_record(model, release) as copy
    where model.app_id = ${model.id}`.execute(db);
}

type NamespaceObject = {
  metadata: {
    name: string;
    labels: Record<string, string>;
    annotations?: Record<string, string>;
  };
};

async function copyObjects(
  copies: ModelApp[],
  projectIds: string[],
  { cluster, model }: CopyOptions,
): Promise<void> {
  const name = namespaceName(model.projectId);
  const read = await cluster.kubectl('get', 'namespace', name, '-o', 'json');
  const namespace = JSON.parse(read) as NamespaceObject;
  const installation = namespace.metadata.labels[LABELS.installation] ?? '';
  const nodes = (await readEtcd(cluster.etcd, '/registry/minions/simulated-')).length;
  const found = (await readEtcd(cluster.etcd, '/registry/')).filter(
    ({ key }) => key.includes(`/${name}/`) && !OF_CLUSTER.test(key),
  );
  const [ofApp = [], ofProject = []] = [true, false].map((isOfApp) =>
    found.filter(({ value }) => value.includes(model.id) === isOfApp),
  );
  await createNamespaces(copies, projectIds, { namespace, cluster, model });
  // They would create a pod for a ReplicaSet whose pod they do not know yet.
  const startControllers = await stopControllers(cluster.kubeconfig);
  for (const projectId of projectIds) {
    const texts = new Map([[model.projectId, projectId]]);
    await writeEtcd(cluster.etcd, copyEntries(ofProject, { texts, installation }));
  }
  for (let at = 0; at < copies.length; at += APPS_AT_ONCE) {
    const objects = copies.slice(at, at + APPS_AT_ONCE).flatMap((copy, index) => {
      const texts = new Map([
        [model.projectId, copy.projectId],
        [model.id, copy.id],
        [model.name, copy.name],
      ]);
      const node = `simulated-${String((at + index) % nodes).padStart(4, '0')}`;
      return copyEntries(ofApp, { texts, installation, node });
    });
    await writeEtcd(cluster.etcd, objects);
  }
  startControllers();
}

async function createNamespaces(
  copies: ModelApp[],
  projectIds: string[],
  {
    namespace: { metadata },
    cluster,
    model,
  }: Pick<CopyOptions, 'cluster' | 'model'> & { namespace: NamespaceObject },
): Promise<void> {
  const byProject = Map.groupBy(copies, ({ projectId }) => projectId);
  const labels = Object.entries(metadata.labels).filter(
    ([label]) => label !== appLabel(model.id) && label !== 'kubernetes.io/metadata.name',
  );
  const items = projectIds.map((projectId) => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name: namespaceName(projectId),
      annotations: metadata.annotations,
      labels: {
        ...Object.fromEntries(labels),
        [LABELS.project]: projectId,
        ...Object.fromEntries((byProject.get(projectId) ?? []).map(({ id }) => [appLabel(id), ''])),
      },
    },
  }));
  const file = join(dirname(cluster.kubeconfig), 'namespaces.json');
  await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
  await cluster.kubectl('create', '-f', file);
}

function namespaceName(projectId: string): string {
  return namespaceOf({ prefix: PREFIX, installation: '' }, projectId);
}

type Replacements = { texts: Map<string, string>; installation: string; node?: string };

/** Each text is replaced by one of the same length, so the encoding of the object stays valid. Objects get other uids. */
function copyEntries(
  entries: EtcdEntry[],
  { texts, installation, node }: Replacements,
): EtcdEntry[] {
  const ids = new Map([[installation, installation], ...texts]);
  const replaceAll = (text: string) =>
    [...texts]
      .filter(([from]) => !UUID.test(from))
      .reduce((result, [from, to]) => result.replaceAll(from, to), text)
      .replaceAll(ALL_UUIDS, (id) => {
        const other = ids.get(id) ?? randomUUID();
        ids.set(id, other);
        return other;
      })
      .replaceAll(NODE, (name) => node ?? name);
  return entries.map(({ key, value }) => ({
    key: replaceAll(key),
    value: Buffer.from(replaceAll(value.toString('latin1')), 'latin1'),
  }));
}
