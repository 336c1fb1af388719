import type { ReleaseSpec } from '../engine.ts';
import { listOwnContainers } from './containers.ts';
import type { DockerDeps } from './deps.ts';
import { DockerError, hasStatus, ignoreMissing } from './docker-error.ts';
import { LABELS, labelFilter, networkName } from './ownership.ts';
import { findFreeSubnet } from './subnets.ts';

type Network = {
  Id: string;
  Name: string;
  Labels: Record<string, string> | null;
  IPAM: { Config: { Subnet?: string }[] | null };
};

/** Apps of one project share a network, where they reach each other by name. Other apps have no access. */
export async function ensureNetwork(
  { projectId }: Pick<ReleaseSpec, 'projectId'>,
  deps: DockerDeps,
  signal: AbortSignal,
): Promise<void> {
  // Concurrent calls could create two networks with the same name.
  const release = await deps.networkLock.acquire(signal);
  try {
    const name = networkName(deps.owner, projectId);
    const own = await listOwnNetworks(deps, signal);
    if (!own.some(({ Name }) => Name === name)) await createNetwork(projectId, deps, signal);
  } finally {
    release();
  }
}

/** Removes the networks of projects without containers. */
export async function removeUnusedNetworks(deps: DockerDeps, signal: AbortSignal): Promise<void> {
  const release = await deps.networkLock.acquire(signal);
  try {
    const containers = await listOwnContainers(deps, {}, signal);
    // A stopped or restarting container is not connected, but reconnects to the network by its id.
    const used = new Set(containers.map(({ Labels }) => Labels[LABELS.project]));
    for (const { Id, Labels } of await listOwnNetworks(deps, signal)) {
      if (used.has(Labels?.[LABELS.project])) continue;
      // 403, 409: a container of another user is connected.
      await ignoreMissing(deps.docker.call('DELETE', `/networks/${Id}`, { signal }), 403, 409);
    }
  } finally {
    release();
  }
}

async function createNetwork(
  projectId: string,
  deps: DockerDeps,
  signal: AbortSignal,
): Promise<void> {
  const { docker, owner } = deps;
  const body = {
    Name: networkName(owner, projectId),
    CheckDuplicate: true,
    Labels: { [LABELS.installation]: owner.installation, [LABELS.project]: projectId },
  };
  const create = (more: object = {}) =>
    docker.call('POST', '/networks/create', { body: { ...body, ...more }, signal });
  try {
    await create();
  } catch (error) {
    if (hasStatus(error, 409)) return;
    if (!isOutOfAddresses(error)) throw error;
    const all = await docker.call<Network[]>('GET', '/networks', { signal });
    const taken = all.flatMap(({ IPAM }) => IPAM.Config ?? []).map(({ Subnet = '' }) => Subnet);
    await create({ IPAM: { Config: [{ Subnet: findFreeSubnet(taken) }] } });
  }
}

/** Docker's default address pools are used up after about thirty networks. */
function isOutOfAddresses(error: unknown): boolean {
  return error instanceof DockerError && /address pool/i.test(error.message);
}

async function listOwnNetworks(
  { docker, owner }: DockerDeps,
  signal: AbortSignal,
): Promise<Network[]> {
  const query = { filters: labelFilter(owner) };
  return await docker.call<Network[]>('GET', '/networks', { query, signal });
}
