import { z } from 'zod';
import type { Build, ReleaseSpec } from '../engine.ts';
import type { KubernetesDeps } from './deps.ts';
import { undefinedIfMissing } from './kubernetes-error.ts';
import { releaseLabels } from './manifests.ts';
import { listOfApp } from './namespaces.ts';
import { LABELS, namespaceOf, ownSelector, releaseName } from './ownership.ts';

/** A built release: a ConfigMap in the namespace of its project. */
export type BuiltRelease = {
  number: number;
  namespace: string;
  name: string;
  /** With its digest. */
  image: string;
  /** The ports that the image exposes. */
  exposedPorts: number[];
  /** The port that the app was found to listen on, because none was chosen. */
  foundPort: number | undefined;
  build: Build;
};

type ConfigMap = {
  metadata: { name: string; namespace: string; labels: Record<string, string> };
  data?: Record<string, string>;
};

const CONTENT = z.object({
  image: z.string(),
  exposedPorts: z.array(z.number()),
  revision: z.string(),
  /** Missing in records of images, which have none. */
  inputs: z
    .object({ arguments: z.array(z.string()), startCommand: z.boolean() })
    .default({ arguments: [], startCommand: false }),
});

/** Not part of the other content, which is written when a release is built. */
const FOUND_PORT = 'foundPort';

/** Of one app, the oldest first. The app may have been moved to another project since. */
export async function listBuilt(
  appId: string,
  deps: Pick<KubernetesDeps, 'api' | 'owner' | 'projects'>,
  signal: AbortSignal,
): Promise<BuiltRelease[]> {
  const items = await listOfApp<ConfigMap>('configMaps', appId, deps, signal);
  return items.flatMap(parseRelease).sort((one, other) => one.number - other.number);
}

/** Of all apps in a namespace, by the id of the app. */
export async function listBuiltIn(
  namespace: string,
  { api, owner }: Pick<KubernetesDeps, 'api' | 'owner'>,
  signal: AbortSignal,
): Promise<Map<string, BuiltRelease[]>> {
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const query = { labelSelector: ownSelector(owner) };
  const { items } = await api.call<{ items: ConfigMap[] }>('GET', path, { query, signal });
  const byApp = Map.groupBy(items, ({ metadata }) => metadata.labels[LABELS.app] ?? '');
  return new Map([...byApp].map(([appId, found]) => [appId, found.flatMap(parseRelease)]));
}

/** What is not a record of ours is no release. */
function parseRelease({ metadata, data }: ConfigMap): BuiltRelease[] {
  const number = Number(metadata.labels[LABELS.release]);
  const parsed = CONTENT.safeParse(parseJson(data?.release));
  if (!parsed.success || !Number.isSafeInteger(number)) return [];
  const { revision, inputs, ...content } = parsed.data;
  const { name, namespace } = metadata;
  const foundPort = data?.[FOUND_PORT] === undefined ? undefined : Number(data[FOUND_PORT]);
  return [{ number, namespace, name, ...content, foundPort, build: { revision, inputs } }];
}

export async function findBuilt(
  { appId, number }: Pick<ReleaseSpec, 'appId' | 'number'>,
  deps: Pick<KubernetesDeps, 'api' | 'owner' | 'projects'>,
  signal: AbortSignal,
): Promise<BuiltRelease | undefined> {
  return (await listBuilt(appId, deps, signal)).find((release) => release.number === number);
}

export async function recordBuilt(
  spec: ReleaseSpec,
  built: Pick<BuiltRelease, 'image' | 'exposedPorts' | 'build'>,
  { api, owner }: KubernetesDeps,
  signal: AbortSignal,
): Promise<void> {
  const namespace = namespaceOf(owner, spec.projectId);
  const name = releaseName(spec);
  const { image, exposedPorts, build } = built;
  const content: z.input<typeof CONTENT> = { image, exposedPorts, ...build };
  await api.call('PATCH', `/api/v1/namespaces/${namespace}/configmaps/${name}`, {
    patch: 'apply',
    body: {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace, labels: releaseLabels(spec, owner) },
      data: { release: JSON.stringify(content) },
    },
    signal,
  });
}

export async function recordFoundPort(
  { namespace, name }: Pick<BuiltRelease, 'namespace' | 'name'>,
  port: number,
  { api }: Pick<KubernetesDeps, 'api'>,
  signal: AbortSignal,
): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/configmaps/${name}`;
  const body = { data: { [FOUND_PORT]: String(port) } };
  await api.call('PATCH', path, { body, signal });
}

export async function removeBuilt(
  { namespace, name }: BuiltRelease,
  { api }: KubernetesDeps,
  signal: AbortSignal,
): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/configmaps/${name}`;
  await undefinedIfMissing(api.call('DELETE', path, { signal }));
}

function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}
