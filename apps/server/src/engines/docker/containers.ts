import type { Container } from './container.ts';
import type { DockerDeps } from './deps.ts';
import { ignoreMissing, undefinedIfMissing } from './docker-error.ts';
import { LABELS, labelFilter } from './ownership.ts';

export type ListedContainer = { Id: string; State: string; Labels: Record<string, string> };

/** All containers of ours, or of those the ones with these labels, whatever state they are in. */
export async function listOwnContainers(
  { docker, owner }: DockerDeps,
  labels: Record<string, string>,
  signal: AbortSignal,
): Promise<ListedContainer[]> {
  const filters = labelFilter(owner, labels);
  return await docker.call<ListedContainer[]>('GET', '/containers/json', {
    query: { all: true, filters },
    signal,
  });
}

/** The instances of an app, oldest first. What was cut off between making and starting is none. */
export async function inspectInstances(
  appId: string,
  parts: DockerDeps,
  signal: AbortSignal,
): Promise<Container[]> {
  const listed = await listOwnContainers(parts, { [LABELS.app]: appId }, signal);
  const started = listed.filter(({ State }) => State !== 'created');
  const found = await Promise.all(started.map(({ Id }) => inspectContainer(Id, parts, signal)));
  return found
    .filter((container) => container !== undefined)
    .sort((one, other) => instanceNumber(one.Config) - instanceNumber(other.Config));
}

export async function inspectContainer(
  id: string,
  { docker }: DockerDeps,
  signal: AbortSignal,
): Promise<Container | undefined> {
  return await undefinedIfMissing(
    docker.call<Container>('GET', `/containers/${id}/json`, { signal }),
  );
}

/** With the volumes it made for itself, which nobody else can name. */
export async function removeContainer(
  id: string,
  { docker }: DockerDeps,
  signal: AbortSignal,
): Promise<void> {
  const query = { force: true, v: true };
  // 409: it is being removed already.
  await ignoreMissing(docker.call('DELETE', `/containers/${id}`, { query, signal }), 409);
}

/** Takes away what was made but, cut off in the middle, never started. */
export async function removeUnstarted(
  appId: string,
  parts: DockerDeps,
  signal: AbortSignal,
): Promise<void> {
  const listed = await listOwnContainers(parts, { [LABELS.app]: appId }, signal);
  for (const { Id, State } of listed) {
    if (State === 'created') await removeContainer(Id, parts, signal);
  }
}

export function instanceNumber({ Labels }: Pick<ListedContainer, 'Labels'>): number {
  return Number(Labels[LABELS.instance]);
}

/** Beyond the app's own time to stop, for an Engine that is busy. */
const SLACK_MS = 60_000;

/** Asks it to stop, then forces. One that is gone or has ended is fine. */
export async function stopContainer(
  id: string,
  { docker, limits }: DockerDeps,
  signal: AbortSignal,
): Promise<void> {
  const stopping = docker.call('POST', `/containers/${id}/stop`, {
    query: { t: limits.graceSeconds },
    timeoutMs: limits.graceSeconds * 1000 + SLACK_MS,
    signal,
  });
  await ignoreMissing(stopping);
}

/** From its first answer on, Docker starts the app again when it or the machine went down, even while we are away. */
export async function enableRestarts(
  id: string,
  { docker }: DockerDeps,
  signal: AbortSignal,
): Promise<void> {
  const body = { RestartPolicy: { Name: 'unless-stopped' } };
  await docker.call('POST', `/containers/${id}/update`, { body, signal });
}
