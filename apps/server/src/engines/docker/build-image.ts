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
import { gitGroupName } from '../../build/git-runner.ts';
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

/** Checks out the source and builds its image; returns the commit. */
export async function buildImage(
  { spec, progress, writeLine }: GitBuild,
  deps: DockerDeps,
  signal: AbortSignal,
): Promise<string> {
  const workFolder = join(checkoutsFolder(deps), `${spec.appId}-${spec.number}`);
  const folder = join(workFolder, 'source');
  try {
    await rm(workFolder, { recursive: true, force: true });
    await mkdir(workFolder, { recursive: true, mode: 0o711 });
    progress({ phase: 'fetching' });
    const credential = await gitCredentialFor(spec, deps, signal);
    const fetching = {
      ...fetchOptions(workFolder, folder, writeLine, deps),
      ...(await deps.gitSandbox.fetchOptions(signal)),
      group: gitGroupName(spec.appId),
      credential,
    };
    const revision = await fetchSource(spec.origin, fetching, signal);
    writeLine(`Checked out ${revision}`);
    progress({ phase: 'building', revision });
    const { dockerfile, text, extras } = await prepareContext(
      { folder, workFolder, writeLine },
      deps,
    );
    const context = streamContext([folder, ...extras], signal);
    await runBuild({ spec, dockerfile, text, context, writeLine }, deps, signal);
    return revision;
  } finally {
    await rm(workFolder, { recursive: true, force: true });
  }
}

function fetchOptions(
  workFolder: string,
  folder: string,
  writeLine: (line: string) => void,
  deps: DockerDeps,
): Omit<FetchOptions, 'credential' | 'group' | 'sandbox'> {
  const { isRoot, limits, confinement, localGitConfig, resolve, allowLocalSources, dataDir } = deps;
  return {
    folder,
    home: workFolder,
    identity: isRoot ? { uid: NOBODY, gid: NOBODY } : undefined,
    sourcePolicy: { resolve, allowLocalSources, dataDir },
    confinement,
    localGitConfig,
    limits,
    marks: {},
    isAppUser: () => false,
    writeLine,
  };
}

type Context = { dockerfile: string; text: string; extras: string[] };

/** Uses the Dockerfile of the repository, or generates one for the detected project. */
async function prepareContext(
  {
    folder,
    workFolder,
    writeLine,
  }: { folder: string; workFolder: string; writeLine(line: string): void },
  { nodeImage }: DockerDeps,
): Promise<Context> {
  const checkout = await readCheckout(folder);
  const existing = checkout.texts.Dockerfile;
  if (existing !== undefined) {
    writeLine('Found a Dockerfile');
    return { dockerfile: 'Dockerfile', text: existing, extras: [] };
  }
  const detection = detect(checkout);
  if (detection.kind === 'nothing') {
    throw new EngineFailure(detection.reason, ['There is no Dockerfile', ...detection.evidence]);
  }
  const { plan } = detection;
  for (const line of plan.evidence) writeLine(line);
  const text = renderDockerfile(plan, nodeImage);
  const extras = [await writeExtras(workFolder, text, renderDockerignore(plan))];
  return { dockerfile: GENERATED_DOCKERFILE, text, extras };
}

/** Written to a separate folder: a symbolic link in the checkout must not redirect the write. */
async function writeExtras(
  workFolder: string,
  dockerfile: string,
  ignored: string,
): Promise<string> {
  const extras = join(workFolder, 'extras');
  await mkdir(join(extras, '.longshore'), { recursive: true });
  await writeFile(join(extras, GENERATED_DOCKERFILE), dockerfile);
  await writeFile(join(extras, '.dockerignore'), ignored);
  await copyFile(STATIC_SERVER, join(extras, STATIC_SERVER_FILE));
  return extras;
}

/** Later folders override earlier ones. Links are packed as links. */
function streamContext(folders: string[], signal: AbortSignal): AsyncGenerator<Buffer> {
  const folderArgs = folders.flatMap((folder) => ['-C', folder, '.']);
  const argv = ['tar', '--create', '--exclude=./.git', ...folderArgs] as const;
  return streamOutput({ argv, cwd: '/', env: TAR_ENV }, signal);
}
