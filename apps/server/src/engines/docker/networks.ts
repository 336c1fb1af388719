import type { ReleaseSpec } from '../engine.ts';
import { listCommandContainers, listOwnContainers } from './containers.ts';
import type { DockerDeps, EngineParts } from './deps.ts';
import { hasStatus, ignoreMissing } from './docker-error.ts';
import type { Network } from './firewall.ts';
import { LABELS, labelFilter, networkName } from './ownership.ts';
import { type AddressPool, findFreePool, routedNetworks } from './subnets.ts';

/**
 * Apps of one project share a network, where they reach each other by name. Other apps have no access. Resolves when the network
 * is filtered, before its first container starts.
 */
export async function ensureNetwork(
  { projectId }: Pick<ReleaseSpec, 'projectId'>,
  deps: EngineParts,
  signal: AbortSignal,
): Promise<Network> {
  // Concurrent calls could create two networks with the same name.
  return await deps.networkLock.run(async () => {
    const find = (networks: Network[]) =>
      networks.find(({ Name }) => Name === networkName(deps.owner, projectId));
    let own = await listOwnNetworks(deps, signal);
    if (find(own) === undefined) {
      await createNetwork(projectId, deps, signal);
      own = await listOwnNetworks(deps, signal);
    }
    const network = find(own);
    if (network === undefined) throw new Error('The network of the project was removed');
    await deps.firewall.filter(own);
    return network;
  }, signal);
}

/** Removes the networks of projects without containers. */
export async function removeUnusedNetworks(deps: DockerDeps, signal: AbortSignal): Promise<void> {
  await deps.networkLock.run(async () => {
    const containers = await listOwnContainers(deps, {}, signal);
    // A stopped or restarting container is not connected, but reconnects to the network by its id.
    const commands = await listCommandContainers(deps, signal);
    const used = new Set([
      ...containers.map(({ Labels }) => Labels[LABELS.project]),
      ...commands.map(({ projectId }) => projectId),
    ]);
    const own = await listOwnNetworks(deps, signal);
    const unused = own.filter(({ Labels }) => !used.has(Labels?.[LABELS.project]));
    for (const network of unused) await removeNetwork(network, deps, signal);
    if (unused.length > 0) await deps.firewall.filter(await listOwnNetworks(deps, signal));
  }, signal);
}

/** Not the id of a project. */
const PROBE_PROJECT = 'probe';

/** Works on the networks of this installation, at least one: without projects, on one that exists only meanwhile. */
export async function withOwnNetworks<Result>(
  deps: DockerDeps,
  signal: AbortSignal,
  work: (networks: Network[]) => Promise<Result>,
): Promise<Result> {
  return await deps.networkLock.run(async () => {
    const own = await listOwnNetworks(deps, signal);
    if (own.length > 0) return await work(own);
    await createNetwork(PROBE_PROJECT, deps, signal);
    try {
      return await work(await listOwnNetworks(deps, signal));
    } finally {
      // Also after the check was given up.
      const { signal: never } = new AbortController();
      const left = await listOwnNetworks(deps, never);
      const probe = networkName(deps.owner, PROBE_PROJECT);
      for (const network of left.filter(({ Name }) => Name === probe)) {
        await removeNetwork(network, deps, never);
      }
      await deps.firewall.filter([]);
    }
  }, signal);
}

async function removeNetwork(
  { Id }: Network,
  { docker }: DockerDeps,
  signal: AbortSignal,
): Promise<void> {
  // 403, 409: a container of another user is connected.
  await ignoreMissing(docker.call('DELETE', `/networks/${Id}`, { signal }), 403, 409);
}

async function createNetwork(
  projectId: string,
  deps: EngineParts,
  signal: AbortSignal,
): Promise<void> {
  const { docker, owner, reservedNetwork } = deps;
  const body = {
    Name: networkName(owner, projectId),
    Driver: 'bridge',
    CheckDuplicate: true,
    Labels: { [LABELS.installation]: owner.installation, [LABELS.project]: projectId },
  };
  const create = (pool?: AddressPool) =>
    docker.call('POST', '/networks/create', {
      body: pool === undefined ? body : { ...body, IPAM: { Config: [pool] } },
      signal,
    });
  const all = await docker.call<Network[]>('GET', '/networks', { signal });
  const used = all.flatMap(({ IPAM }) => IPAM.Config ?? []).map(({ Subnet = '' }) => Subnet);
  const pool = findFreePool([...used, ...routedNetworks(), reservedNetwork]);
  try {
    await create(pool);
  } catch (error) {
    if (hasStatus(error, 409)) return;
    signal.throwIfAborted();
    if (pool === undefined) throw error;
    // Another program took the subnet meanwhile.
    await create();
  }
}

async function listOwnNetworks(
  { docker, owner }: EngineParts,
  signal: AbortSignal,
): Promise<Network[]> {
  const query = { filters: labelFilter(owner) };
  return await docker.call<Network[]>('GET', '/networks', { query, signal });
}
