import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mainPort } from '@longshore/contract';
import type { Argv } from '../../build/build-plan.ts';
import { fillVariables } from '../../build/command-line.ts';
import { VARIABLES_LABEL } from '../../build/dockerfile.ts';
import type { ReleaseSpec } from '../engine.ts';
import { findFreePort } from '../free-port.ts';
import { writeJson } from '../json-file.ts';
import { containerConfig, containerEnvironment } from './container-config.ts';
import {
  instanceNumber,
  listOwnContainers,
  removeContainer,
  removeUnstarted,
} from './containers.ts';
import type { DockerDeps } from './deps.ts';
import { isTransient, toStartFailure } from './failure-reasons.ts';
import { appFolder } from './folders.ts';
import { findImage, type Image } from './images.ts';
import { ensureNetwork } from './networks.ts';
import { containerName, imageTag, LABELS } from './ownership.ts';

const MAX_TRIES = 5;

/** Creates and starts one container; returns its id. */
export async function startContainer(
  spec: ReleaseSpec,
  deps: DockerDeps,
  signal: AbortSignal,
): Promise<string> {
  await removeUnstarted(spec.appId, deps, signal);
  for (let tries = 1; ; tries += 1) {
    try {
      await ensureNetwork(spec, deps, signal);
      return await startOnce(spec, deps, signal);
    } catch (error) {
      if (!isTransient(error) || tries === MAX_TRIES) throw toStartFailure(error, spec);
    }
  }
}

async function startOnce(
  spec: ReleaseSpec,
  deps: DockerDeps,
  signal: AbortSignal,
): Promise<string> {
  const id = await createContainer(spec, deps, signal);
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
  spec: ReleaseSpec,
  deps: DockerDeps,
  signal: AbortSignal,
): Promise<string> {
  const { docker, owner } = deps;
  const containers = await listOwnContainers(deps, {}, signal);
  const own = containers.filter(({ Labels }) => Labels[LABELS.app] === spec.appId);
  const instance = await nextInstanceNumber(spec.appId, own.map(instanceNumber), deps);
  // Ports of all containers, because a restarting container does not listen at the moment.
  const assigned = new Set(containers.map(({ Labels }) => Number(Labels[LABELS.port])));
  const port = mainPort(spec.ports);
  const hostPort = port === undefined ? undefined : await findFreePort(assigned);
  const image = await findImage(imageTag(owner, spec.appId, spec.number), deps, signal);
  const command = fillStartCommand(image, containerEnvironment(spec));
  const { Id } = await docker.call<{ Id: string }>('POST', '/containers/create', {
    query: { name: containerName(owner, spec.appId, instance) },
    body: containerConfig({ spec, instance, hostPort, command }, owner),
    signal,
  });
  return Id;
}

/** Grows with each instance of an app, so that no two instances share a log. */
async function nextInstanceNumber(
  appId: string,
  taken: number[],
  deps: DockerDeps,
): Promise<number> {
  const folder = appFolder(appId, deps);
  const path = join(folder, 'last-instance');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const last = Number(await readFile(path, 'utf8').catch(() => '0'));
  const next = Math.max(Number.isSafeInteger(last) ? last : 0, ...taken) + 1;
  await writeJson(path, next);
  return next;
}

/** The command of a generated image with its variables filled in; undefined when the image's own command is used. */
export function fillStartCommand(
  image: Image | undefined,
  env: Record<string, string>,
): Argv | undefined {
  const { Labels, Cmd } = image?.Config ?? {};
  const [program, ...args] = Cmd ?? [];
  if (Labels?.[VARIABLES_LABEL] === undefined || program === undefined) return;
  return fillVariables([program, ...args], env);
}
