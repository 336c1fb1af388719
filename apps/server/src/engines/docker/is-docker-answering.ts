import type { DockerApi } from './docker-api.ts';

const ANSWER_MS = 3_000;

/** Whether an Engine is there and lets us in. */
export async function isDockerAnswering(docker: DockerApi): Promise<boolean> {
  const signal = AbortSignal.timeout(ANSWER_MS);
  return await docker.call('GET', '/version', { signal }).then(
    () => true,
    () => false,
  );
}
