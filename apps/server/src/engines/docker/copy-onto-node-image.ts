import { Readable } from 'node:stream';
import { TAR_END, tarFolder } from '../../build/buildkit/tar.ts';
import type { CopiedImage } from '../../build/dockerfile.ts';
import { mentionsDiskFull } from '../disk-full.ts';
import type { ReleaseSpec } from '../engine.ts';
import { EngineFailure } from '../failure.ts';
import type { Copy } from '../image-build/build-image.ts';
import { removeContainer } from './containers.ts';
import type { DockerDeps } from './deps.ts';
import { DockerError } from './docker-error.ts';
import { findImage, type Image } from './images.ts';
import { writeLayers } from './layer-records.ts';
import { copyNamePrefix, imageRepository, imageTag } from './ownership.ts';
import { pullOperatorImage } from './pull-operator-image.ts';

const DEFAULT_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const TAR = { 'content-type': 'application/x-tar' };
const never = new AbortController().signal;

/**
 * Makes the image of a release that needs no build: the engine copies the files of the app onto the Node image, and nothing of
 * the app runs (decision 87). Returns false if the engine cannot get that image: builders may.
 */
export async function copyOntoNodeImage(
  copy: Copy,
  deps: DockerDeps,
  signal: AbortSignal,
): Promise<boolean> {
  const base = await findNodeImage(copy.writeLine, deps, signal);
  if (base === undefined) return false;
  const { appId, number } = copy.spec;
  copy.writeLine(`Nothing to install or build: the files are copied onto ${deps.nodeImage}`);
  const name = `${copyNamePrefix(deps.owner)}${appId}-${number}`;
  await removeContainer(name, deps, signal);
  try {
    await createAndFill(name, { copy, base }, deps, signal);
    // Not aborted: the engine would finish it nevertheless.
    const query = { container: name, repo: imageRepository(deps.owner, appId), tag: number };
    const { timeoutMs } = slowCall(deps);
    await deps.docker.call('POST', '/commit', { query, body: {}, timeoutMs, signal: never });
    signal.throwIfAborted();
  } catch (error) {
    if (error instanceof DockerError && mentionsDiskFull(error.message))
      throw new EngineFailure('disk-full', [], { cause: error });
    throw error;
  } finally {
    await removeContainer(name, deps, never).catch(deps.logError);
  }
  await recordLayers({ spec: copy.spec, base }, deps, signal);
  return true;
}

/** Those of a server that was killed. */
export async function removeLeftCopies(
  deps: Pick<DockerDeps, 'docker' | 'owner'>,
  signal: AbortSignal,
): Promise<void> {
  const prefix = copyNamePrefix(deps.owner);
  const found = await deps.docker.call<{ Id: string; Names: string[] }[]>(
    'GET',
    '/containers/json',
    { query: { all: true, filters: JSON.stringify({ name: [`^/${prefix}`] }) }, signal },
  );
  for (const { Id, Names } of found) {
    if (Names.some((name) => name.startsWith(`/${prefix}`)))
      await removeContainer(Id, deps, signal);
  }
}

async function findNodeImage(
  writeLine: Copy['writeLine'],
  deps: DockerDeps,
  signal: AbortSignal,
): Promise<Image | undefined> {
  const { nodeImage } = deps;
  const found = await findImage(nodeImage, deps, signal);
  if (found !== undefined) return found;
  writeLine(`Pulling ${nodeImage}`);
  try {
    await pullOperatorImage(nodeImage, deps, signal);
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
  return await findImage(nodeImage, deps, signal);
}

/** The container has no label: its image would have it too. */
async function createAndFill(
  name: string,
  { copy: { image, files }, base }: { copy: Copy; base: Image },
  deps: DockerDeps,
  signal: AbortSignal,
): Promise<void> {
  const { docker } = deps;
  const { user, workingDirectory, labels, command, folder, home } = image;
  // Not aborted: Docker would create it nevertheless, and nobody would remove it.
  await docker.call('POST', '/containers/create', {
    query: { name },
    body: {
      Image: base.Id,
      User: user,
      WorkingDir: workingDirectory,
      Env: environmentOf(image, base),
      Cmd: command,
      Labels: labels,
      HostConfig: { NetworkMode: 'none' },
    },
    signal: never,
  });
  const put = (path: string, stream: AsyncIterable<Uint8Array>) =>
    docker.call('PUT', `/containers/${name}/archive`, {
      query: { path },
      headers: TAR,
      stream,
      ...slowCall(deps),
      signal,
    });
  const [uid = 0] = user.split(':').map(Number);
  const folders = [folder, home].map((path) => tarFolder(path.slice(1), uid));
  await put('/', Readable.from([...folders, TAR_END]));
  await put(folder, files());
}

function environmentOf({ env, path }: CopiedImage, { Config }: Image): string[] {
  const basePath = Config?.Env?.find((line) => line.startsWith('PATH='))?.slice('PATH='.length);
  const all = {
    ...env,
    ...(path.length > 0 && { PATH: [...path, basePath ?? DEFAULT_PATH].join(':') }),
  };
  return Object.entries(all).map(([name, value]) => `${name}=${value}`);
}

/** The layers of the Node image are the operator's, so they count nothing. */
async function recordLayers(
  { spec, base }: { spec: ReleaseSpec; base: Image },
  deps: DockerDeps,
  signal: AbortSignal,
): Promise<void> {
  const image = await findImage(imageTag(deps.owner, spec.appId, spec.number), deps, signal);
  const layers = image?.RootFS?.Layers ?? [];
  const ownBytes = Math.max(0, (image?.Size ?? 0) - (base.Size ?? 0));
  const bytesOf = (at: number) => (at === layers.length - 1 ? ownBytes : 0);
  const records = layers.map((diffId, at) => ({ diffId, bytes: bytesOf(at) }));
  await writeLayers(spec, records, deps);
}

function slowCall({ limits }: DockerDeps): { timeoutMs: number } {
  return { timeoutMs: limits.buildMs };
}
