import { createLineSplitter } from '../../processes/line-splitter.ts';
import { mentionsDiskFull } from '../disk-full.ts';
import type { ReleaseSpec } from '../engine.ts';
import { EngineFailure } from '../failure.ts';
import { type BuildLine, outputOf } from './build-output.ts';
import type { DockerDeps } from './deps.ts';
import { DockerError } from './docker-error.ts';
import { buildFailureEvidence, buildFailureReason } from './failure-reasons.ts';
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

/** Builds the image of a release. An abort stops the build and its containers. */
export async function runBuild(
  build: BuildOptions,
  deps: DockerDeps,
  signal: AbortSignal,
): Promise<void> {
  const timeout = AbortSignal.timeout(deps.limits.buildMs);
  const layers = createLayerCleanup(deps);
  const lastLines: string[] = [];
  const lines = createLineSplitter((line) => {
    build.writeLine(line);
    if (line.trim() !== '') lastLines.push(line);
    if (lastLines.length > EVIDENCE_LINES) lastLines.shift();
  });
  const print = (line: BuildLine) => {
    layers.note(line);
    for (const bytes of outputOf(line)) lines.push(bytes);
  };
  try {
    await streamBuild(build, print, deps, AbortSignal.any([signal, timeout]));
    lines.end();
  } catch (error) {
    lines.end();
    signal.throwIfAborted();
    if (timeout.aborted) throw new EngineFailure('build-timed-out', lastLines);
    if (!(error instanceof DockerError)) throw error;
    const reason = mentionsDiskFull(lastLines.join('\n')) ? 'disk-full' : buildFailureReason(error);
    throw new EngineFailure(reason, [...buildFailureEvidence(error), ...lastLines], {
      cause: error,
    });
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

/** Supported only by BuildKit: RUN mounts, heredocs, COPY options, a syntax line. */
const BUILDKIT_ONLY = [
  /^#\s*syntax\s*=/im,
  /^\s*RUN\s+(?:--\w+(?:=\S+)?\s+)*--(?:mount|network|security)\b/im,
  /^\s*(?:RUN|COPY|ADD)\b.*<<-?["']?\w/im,
  /^\s*(?:COPY|ADD)\s+(?:--\w+(?:=\S+)?\s+)*--(?:link|chmod|exclude|parents|checksum)\b/im,
];

/** The classic builder supports memory and CPU limits, so it is used whenever it can build the file. */
export function needsBuildkit(dockerfile: string): boolean {
  return BUILDKIT_ONLY.some((pattern) => pattern.test(dockerfile));
}
