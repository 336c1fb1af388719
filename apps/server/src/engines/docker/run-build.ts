import { createLineSplitter } from '../../processes/line-splitter.ts';
import { mentionsDiskFull } from '../disk-full.ts';
import type { ReleaseSpec } from '../engine.ts';
import { EngineFailure } from '../failure.ts';
import { type BuildLine, outputOf } from './build-output.ts';
import type { DockerDeps } from './deps.ts';
import { DockerError } from './docker-error.ts';
import { buildFailureEvidence, buildFailureReason } from './failure-reasons.ts';
import { removeReleaseTag } from './images.ts';
import { jsonLines } from './json-lines.ts';
import { createLayerCleanup } from './layer-cleanup.ts';
import { imageTag } from './ownership.ts';

export type BuildOptions = {
  spec: ReleaseSpec;
  dockerfile: string;
  text: string;
  context: AsyncIterable<Uint8Array>;
  writeLine(line: string): void;
};

const CPU_PERIOD_US = 100_000;
const EVIDENCE_LINES = 10;

/** Has the Engine build the image of a release. Aborting ends the build, its containers too. */
export async function runBuild(
  build: BuildOptions,
  parts: DockerDeps,
  signal: AbortSignal,
): Promise<void> {
  const timeout = AbortSignal.timeout(parts.limits.buildMs);
  const layers = createLayerCleanup(parts);
  const said: string[] = [];
  const lines = createLineSplitter((line) => {
    build.writeLine(line);
    if (line.trim() !== '') said.push(line);
    if (said.length > EVIDENCE_LINES) said.shift();
  });
  const print = (line: BuildLine) => {
    layers.note(line);
    for (const bytes of outputOf(line)) lines.push(bytes);
  };
  try {
    await streamBuild(build, print, parts, AbortSignal.any([signal, timeout]));
    lines.end();
  } catch (error) {
    lines.end();
    // One that was cut off may have finished all the same.
    if (signal.aborted || timeout.aborted) await removeResult(build, parts);
    signal.throwIfAborted();
    if (timeout.aborted) throw new EngineFailure('build-timed-out', said);
    if (!(error instanceof DockerError)) throw error;
    const reason = mentionsDiskFull(said.join('\n')) ? 'disk-full' : buildFailureReason(error);
    throw new EngineFailure(reason, [...buildFailureEvidence(error), ...said], { cause: error });
  } finally {
    await layers.removeUnused();
  }
}

async function streamBuild(
  { spec, dockerfile, text, context }: BuildOptions,
  print: (line: BuildLine) => void,
  { docker, owner, limits }: DockerDeps,
  signal: AbortSignal,
): Promise<void> {
  const query = {
    t: imageTag(owner, spec.appId, spec.number),
    dockerfile,
    version: needsBuildkit(text) ? 2 : 1,
    forcerm: true,
    memory: limits.buildMemoryBytes,
    memswap: limits.buildMemoryBytes,
    cpuperiod: CPU_PERIOD_US,
    cpuquota: limits.buildCpus * CPU_PERIOD_US,
  };
  const headers = { 'content-type': 'application/x-tar' };
  const output = await docker.follow('POST', '/build', { query, headers, stream: context, signal });
  for await (const line of jsonLines<BuildLine>(output)) {
    if (line.error !== undefined) {
      throw new DockerError(line.errorDetail?.code ?? 500, line.error);
    }
    print(line);
  }
}

/** An Engine that is gone has to be asked again by the next build of this release. */
async function removeResult({ spec }: BuildOptions, parts: DockerDeps): Promise<void> {
  await removeReleaseTag(spec, parts, new AbortController().signal).catch(() => {});
}

/** What only the newer builder understands: mounts and heredocs of RUN, links and modes of COPY, a syntax line. */
const BUILDKIT_ONLY = [
  /^#\s*syntax\s*=/im,
  /^\s*RUN\s+(?:--\w+(?:=\S+)?\s+)*--(?:mount|network|security)\b/im,
  /^\s*(?:RUN|COPY|ADD)\b.*<<-?["']?\w/im,
  /^\s*(?:COPY|ADD)\s+(?:--\w+(?:=\S+)?\s+)*--(?:link|chmod|exclude|parents|checksum)\b/im,
];

/** The older builder can be held to limits of memory and CPU, so it is used wherever it will do. */
export function needsBuildkit(dockerfile: string): boolean {
  return BUILDKIT_ONLY.some((pattern) => pattern.test(dockerfile));
}
