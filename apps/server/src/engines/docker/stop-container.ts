import type { DockerParts } from './deps.ts';
import { unlessMissing } from './docker-problem.ts';

/** Beyond the app's own time to stop, for an Engine that is busy. */
const SLACK_MS = 60_000;

/** Asks it to stop, then forces. One that is gone or has ended is fine. */
export async function stopContainer(
  id: string,
  { docker, limits }: DockerParts,
  signal: AbortSignal,
): Promise<void> {
  const stopping = docker.call('POST', `/containers/${id}/stop`, {
    query: { t: limits.graceSeconds },
    timeoutMs: limits.graceSeconds * 1000 + SLACK_MS,
    signal,
  });
  await unlessMissing(stopping);
}

/** From its first answer on, Docker starts the app again when it or the machine went down, even while we are away. */
export async function keepUp(
  id: string,
  { docker }: DockerParts,
  signal: AbortSignal,
): Promise<void> {
  const body = { RestartPolicy: { Name: 'unless-stopped' } };
  await docker.call('POST', `/containers/${id}/update`, { body, signal });
}
