import { isIPv4 } from 'node:net';
import { autoDomain } from '@longshore/contract';
import { fillVariables } from '../../build/command-line.ts';
import { VARIABLES_LABEL } from '../../build/dockerfile.ts';
import { typedCommand } from '../../build/typed-command.ts';
import { isLocalDomain } from '../../sandbox/open-sandbox.ts';
import { createDiskRecords } from '../disk-records.ts';
import type { ReleaseSpec } from '../engine.ts';
import { findFreePort } from '../free-port.ts';
import { nextInstanceNumber } from '../instance-number.ts';
import { appPort } from './app-port.ts';
import { fixedAddress, type ListedContainer } from './container.ts';
import {
  type Access,
  type ContainerOptions,
  containerConfig,
  containerEnvironment,
  type StartOptions,
} from './container-config.ts';
import {
  instanceNumber,
  listOwnContainers,
  removeContainer,
  removeUnstarted,
} from './containers.ts';
import type { DockerDeps } from './deps.ts';
import { undefinedIfMissing } from './docker-error.ts';
import { isDiskLimitRefusal, isTransient, toStartFailure } from './failure-reasons.ts';
import { bridgeOf, isOnThisMachine, type Network } from './firewall.ts';
import { appFolder } from './folders.ts';
import { findImage, type Image } from './images.ts';
import { ensureNetwork } from './networks.ts';
import { containerName, imageTag, LABELS } from './ownership.ts';
import { readFoundPort } from './releases.ts';
import { freeAddress } from './subnets.ts';

const MAX_TRIES = 5;

/** Creates and starts one container; returns its id. `replaced`: the number of the instance that it becomes. */
export async function startContainer(
  spec: ReleaseSpec,
  deps: DockerDeps,
  signal: AbortSignal,
  replaced?: number,
): Promise<string> {
  await removeUnstarted(spec.appId, deps, signal);
  return await retryTransient(spec, async () => {
    const network = await ensureNetwork(spec, deps, signal);
    return await startOnce({ spec, network, replaced }, deps, signal);
  });
}

/** Repeats what can succeed at once. */
export async function retryTransient<Result>(
  spec: ReleaseSpec,
  start: () => Promise<Result>,
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await start();
    } catch (error) {
      if (!isTransient(error) || tries === MAX_TRIES) throw toStartFailure(error, spec);
    }
  }
}

type Start = { spec: ReleaseSpec; network: Network; replaced: number | undefined };

async function startOnce(start: Start, deps: DockerDeps, signal: AbortSignal): Promise<string> {
  const id = await createContainer(start, deps, signal);
  try {
    await deps.docker.call('POST', `/containers/${id}/start`, { signal });
    return id;
  } catch (error) {
    // When Docker is down the removal fails; the next start removes the container.
    await removeContainer(id, deps, new AbortController().signal).catch(() => {});
    throw error;
  }
}

async function createContainer(
  { spec: wanted, network, replaced }: Start,
  deps: DockerDeps,
  signal: AbortSignal,
): Promise<string> {
  const { owner } = deps;
  const image = await findImage(imageTag(owner, wanted.appId, wanted.number), deps, signal);
  const port = appPort(wanted.ports, { image, found: await readFoundPort(wanted, deps) });
  const ports = port === undefined ? [] : [{ number: port, expose: true }];
  const spec = { ...wanted, ports };
  const containers = await listOwnContainers(deps, {}, signal);
  const own = containers.filter(({ Labels }) => Labels[LABELS.app] === spec.appId);
  const records = createDiskRecords(appFolder(spec.appId, deps));
  const instance = replaced ?? (await nextInstanceNumber(records, own.map(instanceNumber)));
  const access = port === undefined ? undefined : await findAccess(network, containers);
  const command = startOptions(spec, image);
  const extraHosts = publicHosts(spec, { containers, network, baseDomain: deps.baseDomain });
  const options = { spec, instance, access, command, extraHosts };
  const name = containerName(owner, spec.appId, instance);
  const configOf = (has: Storage) => containerConfig({ ...options, ...has }, owner);
  return await createFitting({ name, configOf }, deps, signal);
}

type Storage = Pick<ContainerOptions, 'hasTmpfs' | 'hasDiskLimit'>;
export type NewContainer = { name: string; configOf(has: Storage): object };

/** Creates a container with its `/tmp` in memory, unless the image brings files there. */
export async function createFitting(
  container: NewContainer,
  deps: DockerDeps,
  signal: AbortSignal,
): Promise<string> {
  const id = await createLimited(container, true, deps, signal);
  if (!(await hasFilesIn('/tmp', id, deps, signal))) return id;
  // The image needs what it brings there.
  await removeContainer(id, deps, signal);
  return await createLimited(container, false, deps, signal);
}

/** Looks at all containers, because one that restarts has no address and no port at the moment. */
async function findAccess(network: Network, containers: ListedContainer[]): Promise<Access> {
  const used = new Set(containers.map(fixedAddress).filter((address) => address !== undefined));
  const address = (await isOnThisMachine(network)) ? freeAddress(network, used) : undefined;
  if (address !== undefined) return { kind: 'direct', address };
  const ports = new Set(containers.map(({ Labels }) => Number(Labels[LABELS.port])));
  return { kind: 'published', hostPort: await findFreePort(ports) };
}

/** With a disk limit if the storage of this Docker Engine has one: `overlay2` on XFS with project quotas, `btrfs` or `zfs`. */
async function createLimited(
  { name, configOf }: NewContainer,
  hasTmpfs: boolean,
  deps: DockerDeps,
  signal: AbortSignal,
): Promise<string> {
  const { docker, storage } = deps;
  const create = async (hasDiskLimit: boolean) => {
    const { Id } = await docker.call<{ Id: string }>('POST', '/containers/create', {
      query: { name },
      body: configOf({ hasTmpfs, hasDiskLimit }),
      signal,
    });
    return Id;
  };
  if (!storage.hasDiskLimit) return await create(false);
  try {
    return await create(true);
  } catch (error) {
    if (!isDiskLimitRefusal(error)) throw error;
    storage.hasDiskLimit = false;
    return await create(false);
  }
}

/** Whether a folder of a created container has entries. */
async function hasFilesIn(
  path: string,
  id: string,
  { docker }: DockerDeps,
  signal: AbortSignal,
): Promise<boolean> {
  const archive = docker.follow('GET', `/containers/${id}/archive`, { query: { path }, signal });
  const stream = await undefinedIfMissing(archive);
  return stream !== undefined && (await hasSecondEntry(stream));
}

const TAR_BLOCK = 512;

/** The first entry of the archive is the folder itself. Zeros follow the last one. */
export async function hasSecondEntry(archive: AsyncIterable<Uint8Array>): Promise<boolean> {
  let position = 0;
  for await (const chunk of archive) {
    const offset = TAR_BLOCK - position;
    if (offset < chunk.length) return chunk[Math.max(offset, 0)] !== 0;
    position += chunk.length;
  }
  return false;
}

/** Names below `localhost` are in no DNS. Those of the project's apps lead to the edge, at the gateway of the network. */
export function publicHosts(
  { appId, name, projectId }: Pick<ReleaseSpec, 'appId' | 'name' | 'projectId'>,
  context: { containers: ListedContainer[]; network: Network; baseDomain: string },
): string[] {
  const { containers, network, baseDomain } = context;
  const gateway = bridgeOf(network).networks.find((it) => isIPv4(it.gateway))?.gateway;
  if (!isLocalDomain(baseDomain) || gateway === undefined) return [];
  const siblings = containers
    .filter(({ Labels }) => Labels[LABELS.project] === projectId)
    .map(({ Labels }) => ({ id: Labels[LABELS.app] ?? '', name: Labels[LABELS.name] ?? '' }))
    .filter((app) => app.id !== appId && app.name !== '');
  const domains = [{ id: appId, name }, ...siblings].map((app) => autoDomain(app, baseDomain));
  return [...new Set(domains)].map((domain) => `${domain}:${gateway}`);
}

/** Undefined when the image's own command is used. Variables are filled in as on the process engine. */
export function startOptions(
  spec: Pick<ReleaseSpec, 'env' | 'ports' | 'run'>,
  image: Image | undefined,
): StartOptions | undefined {
  const env = containerEnvironment(spec);
  if (spec.run?.command !== undefined) {
    return { Entrypoint: fillVariables(typedCommand(spec.run.command).argv, env) };
  }
  const { Labels, Cmd } = image?.Config ?? {};
  const [program, ...args] = Cmd ?? [];
  if (Labels?.[VARIABLES_LABEL] === undefined || program === undefined) return undefined;
  return { Cmd: fillVariables([program, ...args], env) };
}
