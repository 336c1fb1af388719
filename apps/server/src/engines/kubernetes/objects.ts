import type { KubernetesDeps } from './deps.ts';
import { hasStatus } from './kubernetes-error.ts';

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
  const path = `${collectionOf(manifest)}/${manifest.metadata.name}`;
  await api.call('PATCH', path, { patch: 'apply', body: manifest, signal });
}

/** Leaves one that exists as it is. */
export async function createObject(
  manifest: Manifest,
  { api }: Pick<KubernetesDeps, 'api'>,
  signal: AbortSignal,
): Promise<void> {
  try {
    await api.call('POST', collectionOf(manifest), { body: manifest, signal });
  } catch (error) {
    if (!hasStatus(error, 409)) throw error;
  }
}

function collectionOf({ apiVersion, kind, metadata: { namespace } }: Manifest): string {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const plural = `${kind.toLowerCase()}s`.replace(/ys$/, 'ies');
  return `${root}/namespaces/${namespace}/${plural}`;
}
