import type { Container } from './container.ts';
import type { DockerParts } from './deps.ts';
import { orMissing, unlessMissing } from './docker-problem.ts';
import { LABELS, labelFilter } from './ownership.ts';

export type Listed = { Id: string; State: string; Labels: Record<string, string> };

/** All containers of ours, or of those the ones with these labels, whatever state they are in. */
export async function ownContainers(
  { docker, owner }: DockerParts,
  labels: Record<string, string>,
  signal: AbortSignal,
): Promise<Listed[]> {
  const filters = labelFilter(owner, labels);
  return await docker.call<Listed[]>('GET', '/containers/json', {
    query: { all: true, filters },
    signal,
  });
}

/** The instances of an app, oldest first. What was cut off between making and starting is none. */
export async function instancesOf(
  appId: string,
  parts: DockerParts,
  signal: AbortSignal,
): Promise<Container[]> {
  const listed = await ownContainers(parts, { [LABELS.app]: appId }, signal);
  const started = listed.filter(({ State }) => State !== 'created');
  const found = await Promise.all(started.map(({ Id }) => inspect(Id, parts, signal)));
  return found
    .filter((container) => container !== undefined)
    .sort((one, other) => instanceNumber(one.Config) - instanceNumber(other.Config));
}

export async function inspect(
  id: string,
  { docker }: DockerParts,
  signal: AbortSignal,
): Promise<Container | undefined> {
  return await orMissing(docker.call<Container>('GET', `/containers/${id}/json`, { signal }));
}

/** With the volumes it made for itself, which nobody else can name. */
export async function removeContainer(
  id: string,
  { docker }: DockerParts,
  signal: AbortSignal,
): Promise<void> {
  const query = { force: true, v: true };
  // 409: it is being removed already.
  await unlessMissing(docker.call('DELETE', `/containers/${id}`, { query, signal }), 409);
}

/** Takes away what was made but, cut off in the middle, never started. */
export async function removeUnstarted(
  appId: string,
  parts: DockerParts,
  signal: AbortSignal,
): Promise<void> {
  const listed = await ownContainers(parts, { [LABELS.app]: appId }, signal);
  for (const { Id, State } of listed) {
    if (State === 'created') await removeContainer(Id, parts, signal);
  }
}

export function instanceNumber({ Labels }: Pick<Listed, 'Labels'>): number {
  return Number(Labels[LABELS.instance]);
}
