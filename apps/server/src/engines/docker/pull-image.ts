import { imageWithTag } from '@longshore/contract';
import { EngineFailure } from '../failure.ts';
import type { RegistryCredential } from '../source-credentials.ts';
import { mentionCredential } from '../source-credentials.ts';
import { checkArchitecture } from './architecture.ts';
import type { DockerParts } from './deps.ts';
import { DockerProblem, isStatus } from './docker-problem.ts';
import { findImage, type Image, keepImage, untag } from './images.ts';
import { jsonLines } from './json-lines.ts';
import { pinnedName } from './pinned-name.ts';
import { pullFailureReason } from './pull-failure.ts';
import { registryHeaders } from './registry-headers.ts';

type Headers = Record<string, string>;

type PullLine = { status?: string; id?: string; error?: string };

export type Pull = {
  image: string;
  release: { appId: string; number: number };
  /** What a private image is pulled with. */
  credential: RegistryCredential | undefined;
  say(line: string): void;
};

const MAX_TRIES = 3;

/** Fetches an image anew, whatever is here already, and keeps it for the release; answers its digest. */
export async function pullImage(
  wished: Pull,
  parts: DockerParts,
  signal: AbortSignal,
): Promise<string> {
  const timeout = AbortSignal.timeout(parts.limits.pullMs);
  const bounded = AbortSignal.any([signal, timeout]);
  const image = imageWithTag(wished.image, 'latest');
  try {
    for (let tries = 1; ; tries += 1) {
      const digest = await pullOnce({ ...wished, image }, parts, bounded);
      if (digest !== undefined) return digest;
      if (tries === MAX_TRIES)
        throw new EngineFailure('engine-failed', ['The image was removed during the pull']);
    }
  } catch (error) {
    signal.throwIfAborted();
    if (timeout.aborted) throw new EngineFailure('registry-unreachable', ['Timed out']);
    if (!(error instanceof DockerProblem)) throw error;
    const evidence = [`Image: ${image}`];
    const failure = new EngineFailure(pullFailureReason(error), evidence, { cause: error });
    throw mentionCredential(failure, wished.credential);
  }
}

/** Undefined when somebody else took the name away again before we could keep the image. */
async function pullOnce(
  { image, release, credential, say }: Pull,
  parts: DockerParts,
  signal: AbortSignal,
): Promise<string | undefined> {
  const headers = registryHeaders(credential);
  const name = await pinnedName(image, headers, parts, signal);
  const isNew = (await findImage(name, parts, signal)) === undefined;
  await pull({ name, headers, say }, parts, signal);
  const pulled = await findImage(name, parts, signal);
  if (pulled === undefined) return undefined;
  try {
    await checkArchitecture(pulled, parts, signal);
    await keepImage(name, release, parts, signal);
  } catch (error) {
    if (isStatus(error, 404)) return undefined;
    throw error;
  } finally {
    // A name that was not here before is not left behind: nobody else asked for it.
    if (isNew) await untag(name, parts, signal);
  }
  return digestOf(pulled);
}

async function pull(
  { name, headers, say }: { name: string; headers: Headers; say: Pull['say'] },
  { docker }: DockerParts,
  signal: AbortSignal,
): Promise<void> {
  const query = { fromImage: name };
  const progress = await docker.follow('POST', '/images/create', { query, headers, signal });
  for await (const { status, id, error } of jsonLines<PullLine>(progress)) {
    if (error !== undefined) throw new DockerProblem(500, error);
    // Layers report every few kilobytes; the overall lines are enough.
    if (id === undefined && status !== undefined) say(status);
  }
}

/** What the registry calls this very content; an image that came from none has only its id. */
function digestOf({ Id, RepoDigests }: Image): string {
  return RepoDigests?.[0]?.split('@')[1] ?? Id;
}
