import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { detect } from '../../build/detect.ts';
import {
  renderDockerfile,
  renderDockerignore,
  STATIC_SERVER_FILE,
} from '../../build/dockerfile.ts';
import { type FetchOptions, fetchSource } from '../../build/fetch-source.ts';
import { readCheckout } from '../../build/read-checkout.ts';
import { NOBODY } from '../../processes/identity.ts';
import { streamOutput } from '../../processes/stream-output.ts';
import type { BuildProgress, ReleaseSpec } from '../engine.ts';
import { EngineFailure } from '../failure.ts';
import { gitCredentialFor } from '../source-credentials.ts';
import type { DockerDeps } from './deps.ts';
import { checkoutsFolder } from './folders.ts';
import { runBuild } from './run-build.ts';

const STATIC_SERVER = fileURLToPath(import.meta.resolve('../../build/static-server.ts'));
const GENERATED_DOCKERFILE = '.longshore/Dockerfile';
const TAR_ENV = { PATH: '/usr/local/bin:/usr/bin:/bin' };

export type GitBuild = {
  spec: ReleaseSpec & { origin: { kind: 'git' } };
  progress: BuildProgress;
  writeLine(line: string): void;
};

/** Checks out, and builds an image of it; answers the commit. */
export async function buildImage(
  { spec, progress, writeLine }: GitBuild,
  parts: DockerDeps,
  signal: AbortSignal,
): Promise<string> {
  const place = join(checkoutsFolder(parts), `${spec.appId}-${spec.number}`);
  const folder = join(place, 'source');
  try {
    await rm(place, { recursive: true, force: true });
    await mkdir(place, { recursive: true, mode: 0o711 });
    progress('fetching');
    const credential = await gitCredentialFor(spec, parts, signal);
    const fetching = { ...fetchOptions(place, folder, writeLine, parts), credential };
    const revision = await fetchSource(spec.origin, fetching, signal);
    writeLine(`Checked out ${revision}`);
    progress('building');
    const { dockerfile, text, extras } = await prepareContext({ folder, place, writeLine }, parts);
    const context = streamContext([folder, ...extras], signal);
    await runBuild({ spec, dockerfile, text, context, writeLine }, parts, signal);
    return revision;
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

function fetchOptions(
  place: string,
  folder: string,
  writeLine: (line: string) => void,
  parts: DockerDeps,
): Omit<FetchOptions, 'credential'> {
  const { isRoot, limits, confinement, localGitConfig, resolve, allowLocalSources, dataDir } =
    parts;
  return {
    folder,
    home: place,
    identity: isRoot ? { uid: NOBODY, gid: NOBODY } : undefined,
    guard: { resolve, allowLocalSources, dataDir },
    confinement,
    localGitConfig,
    limits,
    marks: {},
    isAppUser: () => false,
    writeLine,
  };
}

type Context = { dockerfile: string; text: string; extras: string[] };

/** The repository's own Dockerfile, or one made for what is found in it. */
async function prepareContext(
  { folder, place, writeLine }: { folder: string; place: string; writeLine(line: string): void },
  { nodeImage }: DockerDeps,
): Promise<Context> {
  const checkout = await readCheckout(folder);
  const own = checkout.texts.Dockerfile;
  if (own !== undefined) {
    writeLine('Found a Dockerfile');
    return { dockerfile: 'Dockerfile', text: own, extras: [] };
  }
  const detection = detect(checkout);
  if (detection.kind === 'nothing') {
    throw new EngineFailure(detection.reason, ['There is no Dockerfile', ...detection.evidence]);
  }
  const { plan } = detection;
  for (const line of plan.evidence) writeLine(line);
  const text = renderDockerfile(plan, nodeImage);
  const extras = [await writeExtras(place, text, renderDockerignore(plan))];
  return { dockerfile: GENERATED_DOCKERFILE, text, extras };
}

/** In a folder of their own: a link in the checkout must not lead us anywhere. */
async function writeExtras(place: string, dockerfile: string, ignored: string): Promise<string> {
  const extras = join(place, 'extras');
  await mkdir(join(extras, '.longshore'), { recursive: true });
  await writeFile(join(extras, GENERATED_DOCKERFILE), dockerfile);
  await writeFile(join(extras, '.dockerignore'), ignored);
  await copyFile(STATIC_SERVER, join(extras, STATIC_SERVER_FILE));
  return extras;
}

/** What comes later takes the place of what came before. Links are packed as links. */
function streamContext(folders: string[], signal: AbortSignal): AsyncGenerator<Buffer> {
  const places = folders.flatMap((folder) => ['-C', folder, '.']);
  const argv = ['tar', '--create', '--exclude=./.git', ...places] as const;
  return streamOutput({ argv, cwd: '/', env: TAR_ENV }, signal);
}
