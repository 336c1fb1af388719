import { imageWithTag } from '@longshore/contract';
import { EngineFailure } from '../failure.ts';
import type { RegistryCredential } from '../source-credentials.ts';
import { mentionCredential } from '../source-credentials.ts';
import type { DockerDeps } from './deps.ts';
import { DockerError, hasStatus } from './docker-error.ts';
import { pullFailureReason } from './failure-reasons.ts';
import { findImage, type Image, removeTag, tagImageForRelease } from './images.ts';
import { jsonLines } from './json-lines.ts';

type Headers = Record<string, string>;

type PullLine = { status?: string; id?: string; error?: string };

export type PullRequest = {
  image: string;
  release: { appId: string; number: number };
  /** What a private image is pulled with. */
  credential: RegistryCredential | undefined;
  writeLine(line: string): void;
};

const MAX_TRIES = 3;

/** Fetches an image anew, whatever is here already, and keeps it for the release; answers its digest. */
export async function pullImage(
  wished: PullRequest,
  parts: DockerDeps,
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
    if (!(error instanceof DockerError)) throw error;
    const evidence = [`Image: ${image}`];
    const failure = new EngineFailure(pullFailureReason(error), evidence, { cause: error });
    throw mentionCredential(failure, wished.credential);
  }
}

/** Undefined when somebody else took the name away again before we could keep the image. */
async function pullOnce(
  { image, release, credential, writeLine }: PullRequest,
  parts: DockerDeps,
  signal: AbortSignal,
): Promise<string | undefined> {
  const headers = registryHeaders(credential);
  const name = await pinImageName(image, headers, parts, signal);
  const isNew = (await findImage(name, parts, signal)) === undefined;
  await pull({ name, headers, writeLine }, parts, signal);
  const pulled = await findImage(name, parts, signal);
  if (pulled === undefined) return undefined;
  try {
    await checkArchitecture(pulled, parts, signal);
    await tagImageForRelease(name, release, parts, signal);
  } catch (error) {
    if (hasStatus(error, 404)) return undefined;
    throw error;
  } finally {
    // A name that was not here before is not left behind: nobody else asked for it.
    if (isNew) await removeTag(name, parts, signal);
  }
  return digestOf(pulled);
}

async function pull(
  {
    name,
    headers,
    writeLine,
  }: { name: string; headers: Headers; writeLine: PullRequest['writeLine'] },
  { docker }: DockerDeps,
  signal: AbortSignal,
): Promise<void> {
  const query = { fromImage: name };
  const progress = await docker.follow('POST', '/images/create', { query, headers, signal });
  for await (const { status, id, error } of jsonLines<PullLine>(progress)) {
    if (error !== undefined) throw new DockerError(500, error);
    // Layers report every few kilobytes; the overall lines are enough.
    if (id === undefined && status !== undefined) writeLine(status);
  }
}

/** What the registry calls this very content; an image that came from none has only its id. */
function digestOf({ Id, RepoDigests }: Image): string {
  return RepoDigests?.[0]?.split('@')[1] ?? Id;
}

/**
 * The name to pull an image by. A name that is here already is somebody's, and must not come to mean another image by our
 * pull, so then it is the digest that the registry gives for it. A digest is asked for too: what is here of it may have
 * been pulled with somebody else's access, and the Engine would ask nobody.
 */
export async function pinImageName(
  name: string,
  headers: Record<string, string>,
  parts: DockerDeps,
  signal: AbortSignal,
): Promise<string> {
  const isDigest = name.includes('@');
  if (!isDigest && (await findImage(name, parts, signal)) === undefined) return name;
  const { Descriptor } = await parts.docker.call<{ Descriptor: { digest: string } }>(
    'GET',
    `/distribution/${name}/json`,
    { headers, signal },
  );
  return isDigest ? name : digestName(name, Descriptor.digest);
}

/** A registry's port is no tag. */
export function digestName(name: string, digest: string): string {
  const lastPart = name.lastIndexOf('/') + 1;
  const colon = name.indexOf(':', lastPart);
  return `${colon === -1 ? name : name.slice(0, colon)}@${digest}`;
}

/** What else a machine runs by itself. */
const COMPATIBLE: Record<string, string[]> = { amd64: ['386'], arm64: ['arm'] };

/** Docker takes an image of another kind of machine, and only the app would writeLine that it cannot run. */
export async function checkArchitecture(
  { Architecture }: Pick<Image, 'Architecture'>,
  { docker }: DockerDeps,
  signal: AbortSignal,
): Promise<void> {
  const { Arch } = await docker.call<{ Arch: string }>('GET', '/version', { signal });
  if (canRun(Arch, Architecture)) return;
  const evidence = `The image is made for ${Architecture}, this machine is ${Arch}`;
  throw new EngineFailure('image-wrong-architecture', [evidence]);
}

export function canRun(machine: string, image: string): boolean {
  return image === '' || image === machine || (COMPATIBLE[machine] ?? []).includes(image);
}

/** How the Engine is told what to sign in to a registry with. It keeps nothing of it. */
export function registryHeaders(
  credential: RegistryCredential | undefined,
): Record<string, string> {
  if (credential === undefined) return {};
  const { host, username, password } = credential;
  const auth = { username, password: password.reveal(), serveraddress: host };
  return { 'x-registry-auth': Buffer.from(JSON.stringify(auth)).toString('base64url') };
}
