import { createLineSplitter } from '../../processes/line-splitter.ts';
import { mentionsDiskFull } from '../disk-full.ts';
import type { ReleaseSpec } from '../engine.ts';
import { EngineFailure } from '../failure.ts';
import { buildFailureEvidence, buildFailureReason } from './build-failure.ts';
import { createBuildLayers } from './build-layers.ts';
import { type BuildLine, printedBy } from './build-output.ts';
import type { DockerParts } from './deps.ts';
import { DockerProblem } from './docker-problem.ts';
import { forgetImage } from './images.ts';
import { jsonLines } from './json-lines.ts';
import { needsBuildkit } from './needs-buildkit.ts';
import { imageTag } from './ownership.ts';

export type Build = {
  spec: ReleaseSpec;
  dockerfile: string;
  text: string;
  context: AsyncIterable<Uint8Array>;
  say(line: string): void;
};

const CPU_PERIOD_US = 100_000;
const EVIDENCE_LINES = 10;

/** Has the Engine build the image of a release. Aborting ends the build, its containers too. */
export async function runBuild(
  build: Build,
  parts: DockerParts,
  signal: AbortSignal,
): Promise<void> {
  const timeout = AbortSignal.timeout(parts.limits.buildMs);
  const layers = createBuildLayers(parts);
  const said: string[] = [];
  const lines = createLineSplitter((line) => {
    build.say(line);
    if (line.trim() !== '') said.push(line);
    if (said.length > EVIDENCE_LINES) said.shift();
  });
  const print = (line: BuildLine) => {
    layers.note(line);
    for (const bytes of printedBy(line)) lines.push(bytes);
  };
  try {
    await follow(build, print, parts, AbortSignal.any([signal, timeout]));
    lines.end();
  } catch (error) {
    lines.end();
    // One that was cut off may have finished all the same.
    if (signal.aborted || timeout.aborted) await forget(build, parts);
    signal.throwIfAborted();
    if (timeout.aborted) throw new EngineFailure('build-timed-out', said);
    if (!(error instanceof DockerProblem)) throw error;
    const reason = mentionsDiskFull(said.join('\n')) ? 'disk-full' : buildFailureReason(error);
    throw new EngineFailure(reason, [...buildFailureEvidence(error), ...said], { cause: error });
  } finally {
    await layers.removeLoose();
  }
}

async function follow(
  { spec, dockerfile, text, context }: Build,
  print: (line: BuildLine) => void,
  { docker, owner, limits }: DockerParts,
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
      throw new DockerProblem(line.errorDetail?.code ?? 500, line.error);
    }
    print(line);
  }
}

/** An Engine that is gone has to be asked again by the next build of this release. */
async function forget({ spec }: Build, parts: DockerParts): Promise<void> {
  await forgetImage(spec, parts, new AbortController().signal).catch(() => {});
}
