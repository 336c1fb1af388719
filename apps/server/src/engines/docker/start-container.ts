import { mainPort } from '@longshore/contract';
import type { ReleaseSpec } from '../engine.ts';
import { findFreePort } from '../free-port.ts';
import { containerConfig } from './container-config.ts';
import { instanceNumber, ownContainers, removeContainer, removeUnstarted } from './containers.ts';
import type { DockerParts } from './deps.ts';
import { findImage } from './images.ts';
import { nextInstance } from './instance-numbers.ts';
import { ensureNetwork } from './networks.ts';
import { containerName, imageTag, LABELS } from './ownership.ts';
import { startCommand } from './start-command.ts';
import { isPassing, startFailure } from './start-failure.ts';

const MAX_TRIES = 5;

/** Makes and starts one container; answers its id. */
export async function startContainer(
  spec: ReleaseSpec,
  parts: DockerParts,
  signal: AbortSignal,
): Promise<string> {
  await removeUnstarted(spec.appId, parts, signal);
  for (let tries = 1; ; tries += 1) {
    try {
      await ensureNetwork(spec, parts, signal);
      return await startOnce(spec, parts, signal);
    } catch (error) {
      if (!isPassing(error) || tries === MAX_TRIES) throw startFailure(error, spec);
    }
  }
}

async function startOnce(
  spec: ReleaseSpec,
  parts: DockerParts,
  signal: AbortSignal,
): Promise<string> {
  const id = await createContainer(spec, parts, signal);
  try {
    await parts.docker.call('POST', `/containers/${id}/start`, { signal });
    return id;
  } catch (error) {
    // An Engine that is gone takes nothing away now; what was not started is taken away with the next start.
    await removeContainer(id, parts, new AbortController().signal).catch(() => {});
    throw error;
  }
}

async function createContainer(
  spec: ReleaseSpec,
  parts: DockerParts,
  signal: AbortSignal,
): Promise<string> {
  const { docker, owner } = parts;
  const containers = await ownContainers(parts, {}, signal);
  const own = containers.filter(({ Labels }) => Labels[LABELS.app] === spec.appId);
  const instance = await nextInstance(spec.appId, own.map(instanceNumber), parts);
  // Those of all our containers are given: one that restarts does not listen just now.
  const given = new Set(containers.map(({ Labels }) => Number(Labels[LABELS.port])));
  const port = mainPort(spec.ports);
  const hostPort = port === undefined ? undefined : await findFreePort(given);
  const image = await findImage(imageTag(owner, spec.appId, spec.number), parts, signal);
  const command = startCommand(image, { port, env: spec.env });
  const { Id } = await docker.call<{ Id: string }>('POST', '/containers/create', {
    query: { name: containerName(owner, spec.appId, instance) },
    body: containerConfig({ spec, instance, hostPort, command }, owner),
    signal,
  });
  return Id;
}
