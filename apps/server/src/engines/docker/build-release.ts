import { buildLogName } from '@longshore/contract';
import { withoutUserInfo } from '../../build/user-info.ts';
import type { BuildProgress, ReleaseSpec } from '../engine.ts';
import { EngineFailure } from '../failure.ts';
import { buildImage } from './build-image.ts';
import type { DockerParts } from './deps.ts';
import { guardImage } from './image-guard.ts';
import { pullImage } from './pull-image.ts';
import { builtRevision, recordBuilt } from './releases.ts';

/** Makes the image of a release: pulled, or built of a checkout. A finished one is not made again. */
export async function buildRelease(
  spec: ReleaseSpec,
  progress: BuildProgress,
  parts: DockerParts,
  signal: AbortSignal,
): Promise<{ revision: string }> {
  const built = await builtRevision(spec, parts, signal);
  if (built !== undefined) return { revision: built };
  const log = buildLogName(spec.appId, spec.number);
  const say = (line: string) => parts.logs.append(spec.appId, log, line);
  say(`Release ${spec.number}: ${originSentence(spec)}`);
  try {
    const revision = await make({ spec, progress, say }, parts, signal);
    await recordBuilt(spec, revision, parts);
    say('The build is finished');
    return { revision };
  } catch (error) {
    say(signal.aborted ? 'The build was stopped' : failureLine(error));
    throw error;
  }
}

type Making = { spec: ReleaseSpec; progress: BuildProgress; say(line: string): void };

async function make(
  { spec, progress, say }: Making,
  parts: DockerParts,
  signal: AbortSignal,
): Promise<string> {
  const { origin } = spec;
  if (origin.kind === 'git') {
    return await buildImage({ spec: { ...spec, origin }, progress, say }, parts, signal);
  }
  progress('fetching');
  await guardImage(origin.image, parts, signal);
  const digest = await pullImage({ image: origin.image, release: spec, say }, parts, signal);
  progress('building');
  return digest;
}

function originSentence({ origin }: ReleaseSpec): string {
  return origin.kind === 'image'
    ? `pulling ${origin.image}`
    : `fetching ${withoutUserInfo(origin.url)} at ${origin.ref}`;
}

function failureLine(error: unknown): string {
  if (!(error instanceof EngineFailure)) return 'The build could not go on';
  const [first] = error.evidence;
  return `Failed (${error.reason})${first === undefined ? '' : `: ${first}`}`;
}
