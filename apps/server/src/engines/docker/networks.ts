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

/** Apps of one project meet in its network, by their names; no other app gets in. */
export async function ensureNetwork(
  { projectId }: Pick<ReleaseSpec, 'projectId'>,
  parts: DockerDeps,
  signal: AbortSignal,
): Promise<void> {
  // Two at once could make two of one name.
  const release = await parts.networkLock.acquire(signal);
  try {
    const name = networkName(parts.owner, projectId);
    const own = await listOwnNetworks(parts, signal);
    if (!own.some(({ Name }) => Name === name)) await createNetwork(projectId, parts, signal);
  } finally {
    release();
  }
}

/** Takes away the networks of projects without any container. */
export async function removeUnusedNetworks(parts: DockerDeps, signal: AbortSignal): Promise<void> {
  const release = await parts.networkLock.acquire(signal);
  try {
    const containers = await listOwnContainers(parts, {}, signal);
    // One that restarts or has ended is not in its network just now, and finds it again by its id only.
    const used = new Set(containers.map(({ Labels }) => Labels[LABELS.project]));
    for (const { Id, Labels } of await listOwnNetworks(parts, signal)) {
      if (used.has(Labels?.[LABELS.project])) continue;
      // 403, 409: a container of somebody else's is in it.
      await ignoreMissing(parts.docker.call('DELETE', `/networks/${Id}`, { signal }), 403, 409);
    }
  } finally {
    release();
  }
}

async function createNetwork(
  projectId: string,
  parts: DockerDeps,
  signal: AbortSignal,
): Promise<void> {
  const { docker, owner } = parts;
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

/** Docker's own choice of addresses is used up after some thirty networks. */
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
