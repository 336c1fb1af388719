import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildStep, Checkout } from '../../build/build-plan.ts';
import { buildVariables } from '../../build/build-variables.ts';
import { detectedDockerfile, detectedOf } from '../../build/detected.ts';
import {
  type CopiedImage,
  copiedImage,
  IMAGE_PYTHON,
  imageVersion,
  renderDockerfile,
  renderDockerignore,
  SITE_PROGRAMS,
} from '../../build/dockerfile.ts';
import { declaredArguments } from '../../build/dockerfile-arguments.ts';
import { type FetchedCode, type FetchOptions, fetchSource } from '../../build/fetch-source.ts';
import { gitGroupName } from '../../build/git-runner.ts';
import { provideNode } from '../../build/node/provide-node.ts';
import { planBuild } from '../../build/plan-build.ts';
import { readPlatformFiles } from '../../build/platform-files.ts';
import { checkProjectFolder, projectFolder } from '../../build/project-folder.ts';
import { withProposedRoots } from '../../build/proposed-roots.ts';
import { configuresPip } from '../../build/python/packages-of-day.ts';
import { providePython } from '../../build/python/provide-python.ts';
import { readPlainFile, readProject } from '../../build/read-checkout.ts';
import type { SourcePolicy } from '../../build/source-policy.ts';
import { NOBODY } from '../../processes/identity.ts';
import { streamOutput } from '../../processes/stream-output.ts';
import { isCacheCleared } from '../cache-clears.ts';
import type { Build, BuildProgress, ReleaseSpec } from '../engine.ts';
import { EngineFailure } from '../failure.ts';
import { gitCredentialFor, type SourceCredentials } from '../source-credentials.ts';
import { ROOTLESS_ID } from './buildkitd.ts';
import { imageVariables, openVariablesKey } from './image-variables.ts';
import type { BuildOptions } from './run-build.ts';

const PROGRAMS_FOLDER = dirname(fileURLToPath(import.meta.resolve('../../build/static-server.ts')));
const GENERATED_DOCKERFILE = '.longshore/Dockerfile';
const TAR_ENV = { PATH: '/usr/local/bin:/usr/bin:/bin' };

export type GitBuild = {
  spec: ReleaseSpec & { origin: { kind: 'git' } };
  progress: BuildProgress;
  writeLine(line: string): void;
};

/** An image that needs no build: its files are copied onto the Node image. */
export type Copy = {
  spec: ReleaseSpec;
  image: CopiedImage;
  /** A tar archive. */
  files(): AsyncIterable<Uint8Array>;
  writeLine(line: string): void;
};

/** What an engine that runs images gives to builds of source code. */
export type SourceBuildDeps = Pick<
  FetchOptions,
  'confinement' | 'localGitConfig' | 'limits' | 'downloadUpload'
> & {
  dataDir: string;
  isRoot: boolean;
  allowLocalSources: boolean;
  resolve: SourcePolicy['resolve'];
  credentials: SourceCredentials;
  /** The base image of Node projects without a Dockerfile. */
  nodeImage: string;
  /** For records of an app. Only the server has access. */
  appFolder(appId: string): string;
  /** How git runs now. */
  sandboxOptions(signal: AbortSignal): Promise<Pick<FetchOptions, 'sandbox' | 'isNetworkBlocked'>>;
  /** Makes an image without a builder. Returns false if that is not possible here. */
  copyImage(copy: Copy, signal: AbortSignal): Promise<boolean>;
  runBuild(build: BuildOptions, signal: AbortSignal): Promise<unknown>;
};

/** Of interrupted builds as well, until the next start. */
export function checkoutsFolder({ dataDir }: Pick<SourceBuildDeps, 'dataDir'>): string {
  return join(dataDir, 'checkouts');
}

/** Checks out the source and builds its image. */
export async function buildImage(
  { spec, progress, writeLine }: GitBuild,
  deps: SourceBuildDeps,
  signal: AbortSignal,
): Promise<Build> {
  const workFolder = join(checkoutsFolder(deps), `${spec.appId}-${spec.number}`);
  const folder = join(workFolder, 'source');
  try {
    await rm(workFolder, { recursive: true, force: true });
    await mkdir(workFolder, { recursive: true, mode: 0o711 });
    progress({ phase: 'fetching' });
    const credential = await gitCredentialFor(spec, deps, signal);
    const fetching = {
      ...fetchOptions(workFolder, folder, writeLine, deps),
      ...(await deps.sandboxOptions(signal)),
      appId: spec.appId,
      group: gitGroupName(spec.appId),
      credential,
    };
    const { revision, ...fetched } = await fetchSource(spec.origin, fetching, signal);
    progress({ phase: 'building', revision });
    const preparation = { spec, folder, workFolder, fetched, progress, writeLine };
    const prepared = await prepareContext(preparation, deps);
    const { text, isGenerated, needsStartCommand } = prepared;
    if (!(await copyContext({ spec, prepared, writeLine }, deps, signal))) {
      await buildContext({ spec, prepared, writeLine }, deps, signal);
    }
    const declared = isGenerated ? [] : declaredArguments(text);
    return { revision, inputs: { arguments: declared, startCommand: needsStartCommand } };
  } catch (error) {
    throw await withProposedRoots(error, { folder, build: spec.build, usesDockerfiles: true });
  } finally {
    await rm(workFolder, { recursive: true, force: true });
  }
}

type PreparedBuild = Pick<GitBuild, 'spec' | 'writeLine'> & { prepared: Context };

/** Without a builder, if nothing has to run. */
async function copyContext(
  { spec, prepared: { copied, folders }, writeLine }: PreparedBuild,
  deps: SourceBuildDeps,
  signal: AbortSignal,
): Promise<boolean> {
  if (copied === undefined) return false;
  const files = () => streamContext(folders, signal);
  return await deps.copyImage({ spec, image: copied, files, writeLine }, signal);
}

async function buildContext(
  { spec, prepared, writeLine }: PreparedBuild,
  deps: SourceBuildDeps,
  signal: AbortSignal,
): Promise<void> {
  const { dockerfile, text, folders, isGenerated, steps } = prepared;
  // A generated Dockerfile says nothing to the user.
  const writeExcerpt = isGenerated ? () => {} : writeLine;
  const target = isGenerated ? undefined : spec.build?.target;
  const folder = deps.appFolder(spec.appId);
  const key = await openVariablesKey(folder);
  const variables = imageVariables(buildVariables(spec), { dockerfile: text, key });
  const clears = join(folder, 'cache-clears');
  const isUncached = await isCacheCleared(clears, spec, writeLine);
  const image = { dockerfile, target, variables, isUncached };
  const context = streamContext(folders, signal);
  await deps.runBuild({ spec, steps, ...image, context, writeLine, writeExcerpt }, signal);
}

function fetchOptions(
  workFolder: string,
  folder: string,
  writeLine: (line: string) => void,
  deps: SourceBuildDeps,
): Omit<FetchOptions, 'appId' | 'credential' | 'group' | 'sandbox'> {
  const { isRoot, limits, confinement, localGitConfig, resolve, allowLocalSources, dataDir } = deps;
  return {
    folder,
    home: workFolder,
    identity: isRoot ? { uid: NOBODY, gid: NOBODY } : undefined,
    sourcePolicy: { resolve, allowLocalSources, dataDir },
    confinement,
    localGitConfig,
    limits,
    downloadUpload: deps.downloadUpload,
    marks: {},
    isAppUser: () => false,
    writeLine,
  };
}

/** `text`: of the Dockerfile. `folders`: what the context consists of; later ones override earlier ones. */
type Context = {
  dockerfile: string;
  text: string;
  folders: string[];
  isGenerated: boolean;
  /** Of a generated Dockerfile. */
  steps?: readonly BuildStep[];
  /** The image, if nothing has to run to make it. */
  copied?: CopiedImage | undefined;
  needsStartCommand: boolean;
};

type Preparation = {
  fetched: Omit<FetchedCode, 'revision'>;
  spec: ReleaseSpec;
  folder: string;
  workFolder: string;
  progress: BuildProgress;
  writeLine(line: string): void;
};

/**
 * Uses the Dockerfile of the repository, whose context is the root directory of the app, or generates one for the detected
 * project, which may need what is outside of that.
 */
async function prepareContext(
  { spec, folder, workFolder, fetched, progress, writeLine }: Preparation,
  { nodeImage }: SourceBuildDeps,
): Promise<Context> {
  await checkProjectFolder(folder, spec);
  const project = projectFolder(folder, spec);
  const files = await readProject(folder, spec.build?.rootDirectory);
  const checkout = { ...files, ...fetched };
  const dockerfile = await findDockerfile(checkout, { project, spec });
  if (dockerfile !== undefined) {
    const { path, text } = dockerfile;
    writeLine(path === 'Dockerfile' ? 'Found a Dockerfile' : `Found ${path}`);
    progress({ phase: 'detected', detected: detectedDockerfile(path, checkout) });
    return {
      dockerfile: path,
      text,
      folders: [project],
      isGenerated: false,
      needsStartCommand: false,
    };
  }
  const detection = planBuild(checkout, spec);
  if (detection.kind === 'nothing') {
    throw new EngineFailure('nothing-to-build', ['There is no Dockerfile', ...detection.evidence]);
  }
  progress({ phase: 'detected', detected: detectedOf(detection.plan, checkout) });
  const version = imageVersion(nodeImage);
  const withNode =
    version === undefined
      ? detection.plan
      : provideNode(detection.plan, { version, image: nodeImage, arch: process.arch });
  const variables = buildVariables(spec);
  const plan = providePython(withNode, {
    version: IMAGE_PYTHON,
    arch: process.arch,
    isPipConfigured: configuresPip(variables),
  });
  for (const line of plan.evidence) writeLine(line);
  const root = spec.build?.rootDirectory;
  const hasStartCommand = spec.run?.command !== undefined;
  const text = renderDockerfile(plan, {
    nodeImage,
    root,
    variables: Object.keys(variables),
    hasStartCommand,
  });
  // They are replaced. The builder could not write over links.
  for (const name of ['.longshore', '.dockerignore']) {
    await rm(join(folder, name), { recursive: true, force: true });
  }
  const extras = await writeExtras(workFolder, text, renderDockerignore(plan, root));
  return {
    dockerfile: GENERATED_DOCKERFILE,
    text,
    folders: [folder, extras],
    isGenerated: true,
    steps: plan.steps,
    copied: copiedImage(plan, root),
    needsStartCommand:
      detection.needsStartCommand || (hasStartCommand && plan.start.kind === 'static'),
  };
}

const DOCKERFILES = ['Dockerfile', 'Containerfile', 'docker/Dockerfile'];

/** The chosen Dockerfile, the one that another platform builds, or the one in a usual place, unless commands say how to build without one. */
async function findDockerfile(
  checkout: Checkout,
  { project, spec }: { project: string; spec: ReleaseSpec },
): Promise<{ path: string; text: string } | undefined> {
  const { dockerfile: chosen, installCommand, buildCommand, outputDirectory } = spec.build ?? {};
  const isBuiltByCommands = [installCommand, buildCommand, outputDirectory].some(
    (setting) => setting !== undefined,
  );
  const named = readPlatformFiles(checkout).flatMap(({ dockerfile }) => dockerfile ?? []);
  const usual = isBuiltByCommands
    ? undefined
    : [...named, ...DOCKERFILES].find((name) => checkout.files.includes(name));
  const path = chosen ?? usual;
  if (path === undefined) return undefined;
  const text = await readPlainFile(join(project, path));
  if (text !== undefined) return { path, text };
  throw new EngineFailure('nothing-to-build', [`There is no file ${path}`]);
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
  for (const name of SITE_PROGRAMS) {
    await copyFile(join(PROGRAMS_FOLDER, name), join(extras, '.longshore', name));
  }
  return extras;
}

/** Later folders override earlier ones. Links are packed as links. The builder must be able to read all files. */
function streamContext(folders: string[], signal: AbortSignal): AsyncGenerator<Buffer> {
  const folderArgs = folders.flatMap((folder) => ['-C', folder, '.']);
  const owner = ['--numeric-owner', `--owner=${ROOTLESS_ID}`, `--group=${ROOTLESS_ID}`];
  const argv = ['tar', '--create', '--exclude=./.git', ...owner, ...folderArgs] as const;
  return streamOutput({ argv, cwd: '/', env: TAR_ENV }, signal);
}
