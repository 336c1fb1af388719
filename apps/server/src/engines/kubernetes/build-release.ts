import { containerImageProblem } from '@longshore/contract';
import { withBuildLog } from '../build-log.ts';
import type { Build, BuildProgress, ReleaseSpec } from '../engine.ts';
import { EngineFailure } from '../failure.ts';
import { buildCredentialsFor, mentionCredential } from '../source-credentials.ts';
import type { KubernetesDeps } from './deps.ts';
import { ensureNamespace } from './namespaces.ts';
import { findBuilt, recordBuilt } from './releases.ts';
import { resolveImage } from './resolve-image.ts';

/** Finds the image of a release, unless that is recorded already. Nodes pull it when they start it. */
export async function buildRelease(
  spec: ReleaseSpec,
  progress: BuildProgress,
  deps: KubernetesDeps,
  signal: AbortSignal,
): Promise<Build> {
  const { origin } = spec;
  if (origin.kind === 'git') {
    throw new EngineFailure('not-offered', ['Builds from source code: deploy a container image']);
  }
  const existing = await findBuilt(spec, deps, signal);
  if (existing !== undefined) return existing.build;
  return await withBuildLog({ spec, logs: deps.logs, signal }, async (writeLine) => {
    progress({ phase: 'fetching' });
    signal.throwIfAborted();
    const problem = containerImageProblem(origin.image);
    if (problem !== undefined) throw new EngineFailure('source-not-allowed', [problem]);
    const [credential] = (await buildCredentialsFor(spec, deps, signal)).credentials;
    const found = await resolveImage(origin.image, credential, deps, signal).catch((error) => {
      throw mentionCredential(error, credential);
    });
    writeLine(`Found ${found.image}`);
    const build = { revision: found.digest, inputs: { arguments: [], startCommand: false } };
    progress({ phase: 'building', revision: found.digest });
    signal.throwIfAborted();
    await ensureNamespace(spec, deps, signal);
    await recordBuilt(spec, { ...found, build }, deps, signal);
    return build;
  });
}
