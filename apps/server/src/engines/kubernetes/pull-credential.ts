import type { ReleaseSpec } from '../engine.ts';
import { buildCredentialsFor, type RegistryCredential } from '../source-credentials.ts';
import type { KubernetesDeps } from './deps.ts';

/** The access to the image of a release: that of the operator to what was built, or that of the integration that the app names. */
export async function pullCredentialFor(
  spec: ReleaseSpec,
  deps: Pick<KubernetesDeps, 'credentials' | 'registries'>,
  signal: AbortSignal,
): Promise<RegistryCredential | undefined> {
  if (spec.origin.kind === 'image') {
    return (await buildCredentialsFor(spec, deps, signal)).credentials[0];
  }
  const { registry } = deps.registries;
  if (registry?.credential === undefined) return undefined;
  return { name: 'LONGSHORE_REGISTRY', host: registry.host, ...registry.credential };
}
