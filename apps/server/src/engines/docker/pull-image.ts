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
  /** For private images. */
  credential: RegistryCredential | undefined;
  writeLine(line: string): void;
};

const MAX_TRIES = 3;

/** Pulls an image, even if it exists locally, and tags it for the release; returns its digest. */
export async function pullImage(
  request: PullRequest,
  deps: DockerDeps,
  signal: AbortSignal,
): Promise<string> {
  const timeout = AbortSignal.timeout(deps.limits.pullMs);
  const bounded = AbortSignal.any([signal, timeout]);
  const image = imageWithTag(request.image, 'latest');
  try {
    for (let tries = 1; ; tries += 1) {
      const digest = await pullOnce({ ...request, image }, deps, bounded);
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
    throw mentionCredential(failure, request.credential);
  }
}

/** Undefined when the image was removed by another client before it was tagged. */
async function pullOnce(
  { image, release, credential, writeLine }: PullRequest,
  deps: DockerDeps,
  signal: AbortSignal,
): Promise<string | undefined> {
  const headers = registryHeaders(credential);
  const name = await pinImageName(image, headers, deps, signal);
  const isNew = (await findImage(name, deps, signal)) === undefined;
  try {
    await pull({ name, headers, writeLine }, deps, signal);
    return await tagPulled(name, release, deps, signal);
  } finally {
    // A name that did not exist before is removed again, even if the pull was aborted after it was complete.
    if (isNew) await removeTag(name, deps, new AbortController().signal);
  }
}

async function tagPulled(
  name: string,
  release: PullRequest['release'],
  deps: DockerDeps,
  signal: AbortSignal,
): Promise<string | undefined> {
  const pulled = await findImage(name, deps, signal);
  if (pulled === undefined) return undefined;
  try {
    await checkArchitecture(pulled, deps, signal);
    await tagImageForRelease(name, release, deps, signal);
  } catch (error) {
    if (hasStatus(error, 404)) return undefined;
    throw error;
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
    // The progress of layers is reported every few kilobytes; the overall lines are enough.
    if (id === undefined && status !== undefined) writeLine(status);
  }
}

/** The digest in the registry. An image without a registry has only its id. */
function digestOf({ Id, RepoDigests }: Image): string {
  return RepoDigests?.[0]?.split('@')[1] ?? Id;
}

/**
 * The name to pull. If the name exists locally, it belongs to another user and a pull must not move it, so the digest from the
 * registry is pulled instead. A digest is checked with the registry too: a local copy may have been pulled with the access of
 * another user, and Docker would not check the access.
 */
async function pinImageName(
  name: string,
  headers: Record<string, string>,
  deps: DockerDeps,
  signal: AbortSignal,
): Promise<string> {
  const isDigest = name.includes('@');
  if (!isDigest && (await findImage(name, deps, signal)) === undefined) return name;
  const { Descriptor } = await deps.docker.call<{ Descriptor: { digest: string } }>(
    'GET',
    `/distribution/${name}/json`,
    { headers, signal },
  );
  return isDigest ? name : digestName(name, Descriptor.digest);
}

/** Replaces the tag by the digest. The port of a registry is not a tag. */
export function digestName(name: string, digest: string): string {
  const lastPart = name.lastIndexOf('/') + 1;
  const colon = name.indexOf(':', lastPart);
  return `${colon === -1 ? name : name.slice(0, colon)}@${digest}`;
}

/** Further architectures that a machine runs natively. */
const COMPATIBLE: Record<string, string[]> = { amd64: ['386'], arm64: ['arm'] };

/** Docker accepts images of other architectures, and they fail only when the app starts. */
async function checkArchitecture(
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

/** The header with the registry credential. Docker does not store it. */
export function registryHeaders(
  credential: RegistryCredential | undefined,
): Record<string, string> {
  if (credential === undefined) return {};
  const { host, username, password } = credential;
  const auth = { username, password: password.reveal(), serveraddress: host };
  return { 'x-registry-auth': Buffer.from(JSON.stringify(auth)).toString('base64url') };
}
