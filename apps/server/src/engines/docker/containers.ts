import type { Container, ListedContainer } from './container.ts';
import type { DockerDeps } from './deps.ts';
import { ignoreMissing, undefinedIfMissing } from './docker-error.ts';
import { COMMAND_LABELS, LABELS, labelFilter } from './ownership.ts';

/** All containers of this installation with these labels, in any state. */
export async function listOwnContainers(
  { docker, owner }: Pick<DockerDeps, 'docker' | 'owner'>,
  labels: Record<string, string>,
  signal: AbortSignal,
): Promise<ListedContainer[]> {
  const filters = labelFilter(owner, labels);
  return await docker.call<ListedContainer[]>('GET', '/containers/json', {
    query: { all: true, filters },
    signal,
  });
}

/** The containers of commands, of one app or of all. */
export async function listCommandContainers(
  { docker, owner }: Pick<DockerDeps, 'docker' | 'owner'>,
  signal: AbortSignal,
  appId?: string,
): Promise<{ Id: string; appId: string; projectId: string; commandId: string }[]> {
  const label = [
    `${COMMAND_LABELS.installation}=${owner.installation}`,
    ...(appId === undefined ? [] : [`${LABELS.app}=${appId}`]),
  ];
  const query = { all: true, filters: JSON.stringify({ label }) };
  const listed = await docker.call<ListedContainer[]>('GET', '/containers/json', { query, signal });
  return listed.map(({ Id, Labels }) => ({
    Id,
    appId: Labels[LABELS.app] ?? '',
    projectId: Labels[LABELS.project] ?? '',
    commandId: Labels[COMMAND_LABELS.id] ?? '',
  }));
}

/** The instances of an app, oldest first, without containers that were created but never started. */
export async function inspectInstances(
  appId: string,
  deps: Pick<DockerDeps, 'docker' | 'owner'>,
  signal: AbortSignal,
): Promise<Container[]> {
  const listed = await listOwnContainers(deps, { [LABELS.app]: appId }, signal);
  const started = listed.filter(({ State }) => State !== 'created');
  const found = await Promise.all(started.map(({ Id }) => inspectContainer(Id, deps, signal)));
  return found
    .filter((container) => container !== undefined)
    .sort((one, other) => instanceNumber(one.Config) - instanceNumber(other.Config));
}

export async function inspectContainer(
  id: string,
  { docker }: Pick<DockerDeps, 'docker'>,
  signal: AbortSignal,
): Promise<Container | undefined> {
  return await undefinedIfMissing(
    docker.call<Container>('GET', `/containers/${id}/json`, { signal }),
  );
}

/** Also removes its anonymous volumes. */
export async function removeContainer(
  id: string,
  { docker }: Pick<DockerDeps, 'docker'>,
  signal: AbortSignal,
): Promise<void> {
  const query = { force: true, v: true };
  // 409: the removal is already in progress.
  await ignoreMissing(docker.call('DELETE', `/containers/${id}`, { query, signal }), 409);
}

/** Removes containers that an interrupted start created but did not start. */
export async function removeUnstarted(
  appId: string,
  deps: DockerDeps,
  signal: AbortSignal,
): Promise<void> {
  const listed = await listOwnContainers(deps, { [LABELS.app]: appId }, signal);
  for (const { Id, State } of listed) {
    if (State === 'created') await removeContainer(Id, deps, signal);
  }
}

export function instanceNumber({ Labels }: Pick<ListedContainer, 'Labels'>): number {
  return Number(Labels[LABELS.instance]);
}

/** Added to the grace period of the app, for a busy Docker. */
const SLACK_MS = 60_000;

/** Sends SIGTERM, then SIGKILL. Ignores a container that is gone or has exited. */
export async function stopContainer(
  { Id, Config }: Pick<Container, 'Id' | 'Config'>,
  { docker, limits }: Pick<DockerDeps, 'docker' | 'limits'>,
  signal: AbortSignal,
): Promise<void> {
  const graceSeconds = Config.StopTimeout ?? limits.graceSeconds;
  const stopping = docker.call('POST', `/containers/${Id}/stop`, {
    query: { t: graceSeconds },
    timeoutMs: graceSeconds * 1000 + SLACK_MS,
    signal,
  });
  await ignoreMissing(stopping);
}

/** Ends it at once. Docker does not restart it. */
export async function killContainer(
  id: string,
  { docker }: Pick<DockerDeps, 'docker'>,
  signal: AbortSignal,
): Promise<void> {
  // 409: it does not run.
  await ignoreMissing(docker.call('POST', `/containers/${id}/kill`, { signal }), 409);
}

/** Lets Docker restart the app after a crash or a reboot, even while no server runs. */
export async function enableRestarts(
  id: string,
  { docker }: DockerDeps,
  signal: AbortSignal,
): Promise<void> {
  const body = { RestartPolicy: { Name: 'unless-stopped' } };
  await docker.call('POST', `/containers/${id}/update`, { body, signal });
}
