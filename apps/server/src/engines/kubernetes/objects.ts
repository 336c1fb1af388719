import type { KubernetesDeps } from './deps.ts';

export type Manifest = {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace: string };
};

/** Makes an object of a namespace exactly as described, also if somebody changed it. */
export async function applyObject(
  manifest: Manifest,
  { api }: Pick<KubernetesDeps, 'api'>,
  signal: AbortSignal,
): Promise<void> {
  await api.call('PATCH', pathOf(manifest), { patch: 'apply', body: manifest, signal });
}

function pathOf({ apiVersion, kind, metadata: { name, namespace } }: Manifest): string {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const plural = `${kind.toLowerCase()}s`.replace(/ys$/, 'ies');
  return `${root}/namespaces/${namespace}/${plural}/${name}`;
}
