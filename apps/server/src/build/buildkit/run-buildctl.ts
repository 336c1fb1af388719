import type { Secret } from '../../secrets/secret.ts';
import { createBuildProgress } from './build-progress.ts';
import { type Builder, runInBuilder } from './builder.ts';
import { LAYOUT_FOLDER } from './image-layout.ts';

export type ImageBuild = {
  /** A tar archive. */
  context: AsyncIterable<Uint8Array>;
  /** Its path in the context. */
  dockerfile: string;
  /** The stage to build. Absent: the last one. */
  target?: string | undefined;
  variables?: BuildVariables;
  /** Nothing of earlier builds is used. */
  isUncached?: boolean;
  /** How new layers are stored. */
  layers: 'unpacked' | 'gzip';
  /** Value of DOCKER_AUTH_CONFIG: access to private base images. */
  registryAuth: Secret | undefined;
  /** Gets the lines of the Dockerfile around an error. */
  writeExcerpt(line: string): void;
  writeLine(line: string): void;
};

export type BuildVariables = {
  /** They become part of the image. */
  arguments: Record<string, string>;
  /** Steps see those that they mount. No layer contains them. */
  secrets: Record<string, string>;
  /** Steps are cached only for builds with the same one. */
  cacheScope?: string | undefined;
};

const NO_VARIABLES: BuildVariables = { arguments: {}, secrets: {} };

/** `problem`: why BuildKit refuses or the build fails, in its words. */
export type BuildOutcome =
  | { kind: 'built'; baseDigests: string[] }
  | { kind: 'failed'; problem: string };

const COMPRESSIONS: Record<ImageBuild['layers'], string> = {
  unpacked: 'uncompressed',
  gzip: 'gzip',
};
const CONTEXT_FOLDER = 'context';
const MAX_TOOL_BYTES = 64 * 1024;

/** Sends the context to the builder and builds it. The image lies in the builder afterwards. */
export async function runBuildctl(
  builder: Builder,
  {
    context,
    registryAuth,
    writeLine,
    writeExcerpt,
    variables = NO_VARIABLES,
    ...build
  }: ImageBuild,
  signal: AbortSignal,
): Promise<BuildOutcome> {
  const folder = `${builder.folder}/${CONTEXT_FOLDER}`;
  const tool = (argv: readonly [string, ...string[]], input?: AsyncIterable<Uint8Array>) =>
    runInBuilder(
      builder,
      { argv, ...(input === undefined ? {} : { input }) },
      { maxBytes: MAX_TOOL_BYTES, signal },
    );
  await tool(['rm', '-rf', '--', folder]);
  await tool(['mkdir', '-p', '--', folder]);
  await tool(['tar', '-x', '-C', folder], context);
  const secrets = Object.entries(variables.secrets);
  const process = await builder.start(
    {
      argv: buildctlArgv(builder.folder, { ...build, variables }),
      env: {
        ...(registryAuth === undefined ? {} : { DOCKER_AUTH_CONFIG: registryAuth.reveal() }),
        ...Object.fromEntries(secrets.map(([, value], index) => [secretVariable(index), value])),
      },
    },
    signal,
  );
  const progress = createBuildProgress(writeLine, writeExcerpt);
  for await (const { stream, bytes } of process.output) {
    if (stream === 'error') progress.push(bytes);
  }
  progress.end();
  if ((await process.exitCode()) === 0) {
    return { kind: 'built', baseDigests: progress.baseDigests() };
  }
  return { kind: 'failed', problem: progress.problem() ?? '' };
}

/** Not the user's name for it, which may mean something to buildctl. */
function secretVariable(index: number): string {
  return `LONGSHORE_SECRET_${index}`;
}

function buildctlArgv(
  folder: string,
  {
    dockerfile,
    target,
    variables,
    layers,
    isUncached = false,
  }: Pick<ImageBuild, 'dockerfile' | 'target' | 'isUncached' | 'layers'> & {
    variables: BuildVariables;
  },
): readonly [program: string, ...args: string[]] {
  const context = `${folder}/${CONTEXT_FOLDER}`;
  return [
    'buildctl',
    'build',
    '--progress=rawjson',
    ...(isUncached ? ['--no-cache'] : []),
    '--frontend=dockerfile.v0',
    `--local=context=${context}`,
    `--local=dockerfile=${context}`,
    `--opt=filename=${dockerfile}`,
    ...(target === undefined ? [] : [`--opt=target=${target}`]),
    ...Object.entries(variables.arguments).map(
      ([name, value]) => `--opt=build-arg:${name}=${value}`,
    ),
    ...Object.keys(variables.secrets).map(
      (name, index) => `--secret=id=${name},env=${secretVariable(index)}`,
    ),
    // The host name of the steps is part of what BuildKit caches them by. It is no part of the image.
    ...(variables.cacheScope === undefined ? [] : [`--opt=hostname=${variables.cacheScope}`]),
    `--output=type=oci,tar=false,compression=${COMPRESSIONS[layers]},dest=${folder}/${LAYOUT_FOLDER}`,
  ];
}
