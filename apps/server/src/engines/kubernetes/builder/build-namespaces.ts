import { isIP } from 'node:net';
import type { RegistrySettings } from '../../../build/buildkit/buildkitd-config.ts';
import { PRIVATE, PRIVATE_6 } from '../../../sandbox/network/rule-parts.ts';
import type { ReleaseSpec } from '../../engine.ts';
import type { EngineParts, KubernetesDeps } from '../deps.ts';
import { createNamespace, listNamespaces } from '../namespaces.ts';
import { applyObject } from '../objects.ts';
import { appLabel, appSelector, appsIn, LABELS, ownSelector } from '../ownership.ts';
import { type BuildNetwork, buildNamespaceManifest, buildObjects } from './build-objects.ts';

/** The namespace in which the apps of an owner are built, with this app. It is removed with the last one. */
export async function enterBuildNamespace(
  { ownerId, appId }: Pick<ReleaseSpec, 'ownerId' | 'appId'>,
  deps: EngineParts,
  signal: AbortSignal,
): Promise<void> {
  const { api, owner, limits, maxBuilders } = deps;
  const manifest = buildNamespaceManifest(ownerId, owner);
  await createNamespace(manifest, 'build', deps, signal);
  const network = await networkOf(deps, signal);
  for (const object of buildObjects(ownerId, { network, limits, maxBuilders }, owner)) {
    await applyObject(object, deps, signal);
  }
  const body = { metadata: { labels: { [appLabel(appId)]: '' } } };
  await api.call('PATCH', `/api/v1/namespaces/${manifest.metadata.name}`, { body, signal });
}

/** Names of all namespaces for builds. */
export async function listBuildNamespaces(
  deps: Pick<EngineParts, 'api' | 'owner'>,
  signal: AbortSignal,
): Promise<string[]> {
  const found = await listNamespaces(`${ownSelector(deps.owner)},${LABELS.owner}`, deps, signal);
  return found.map(({ metadata }) => metadata.name);
}

/** Stops the builders of an owner whose last app this is, before their namespace is removed. */
export async function stopLastBuilders(
  appId: string,
  deps: Pick<KubernetesDeps, 'api' | 'owner' | 'builders'>,
  signal: AbortSignal,
): Promise<void> {
  const selector = `${appSelector(deps.owner, appId)},${LABELS.owner}`;
  for (const namespace of await listNamespaces(selector, deps, signal)) {
    const isLast = appsIn(namespace).every((other) => other === appId);
    const ownerId = namespace.metadata.labels?.[LABELS.owner];
    if (isLast && ownerId !== undefined) await deps.builders.stopIdle(ownerId);
  }
}

/** Policies know addresses only. A registry whose name does not resolve cannot be reached anyway. */
async function networkOf(deps: EngineParts, signal: AbortSignal): Promise<BuildNetwork> {
  const registries = await Promise.all(
    registryEndpoints(deps.registries).map(async ({ host, port }) => {
      const addresses = isIP(host) ? [host] : await deps.resolve(host, signal).catch(() => []);
      return addresses.sort().map((address) => ({ address, port }));
    }),
  );
  const allowed = deps.allowLocalSources ? [...PRIVATE, ...PRIVATE_6] : [];
  const allowedNetworks = [...deps.network().allowedNetworks, ...allowed];
  return { allowedNetworks, registries: registries.flat() };
}

const PORTS = { http: 80, https: 443 };

/** Where builders read images of the operator. */
export function registryEndpoints({ registry, mirror }: RegistrySettings) {
  const hosts = [
    ...(registry === undefined ? [] : [{ host: registry.host, isPlain: registry.isInsecure }]),
    ...(mirror === undefined ? [] : [{ host: mirror.host, isPlain: mirror.isPlainHttp }]),
  ];
  return hosts.map(({ host, isPlain }) => {
    const url = new URL(`${isPlain ? 'http' : 'https'}://${host}`);
    const port = Number(url.port) || (isPlain ? PORTS.http : PORTS.https);
    return { host: url.hostname.replace(/^\[|\]$/g, ''), port };
  });
}
