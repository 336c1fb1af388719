import type { BuildPlan } from '../../build/build-plan.ts';
import { detect } from '../../build/detect.ts';
import { indexOf } from '../../build/detect-site.ts';
import { type Fetching, fetchSource } from '../../build/fetch-source.ts';
import { readCheckout } from '../../build/read-checkout.ts';
import { type WriteLine, withBuildLog } from '../build-log.ts';
import type { BuildProgress, ReleaseSpec } from '../engine.ts';
import { EngineFailure } from '../failure.ts';
import { gitCredentialFor } from '../source-credentials.ts';
import { prepareApp } from './app-folders.ts';
import { buildGroup, endInGroup } from './app-groups.ts';
import { type BuildContext, runSteps } from './build-steps.ts';
import type { EngineParts } from './deps.ts';
import { buildMarks } from './environment.ts';
import { appLayout } from './layout.ts';
import { endLeftovers } from './leftovers.ts';
import { type ReleaseRecord, readRelease, writeRelease } from './release-record.ts';
import { removeTree } from './remove-tree.ts';
import { ensureTools } from './tools.ts';

/** Makes a release startable. What an earlier try left in its folder is thrown away. */
export async function buildRelease(
  spec: ReleaseSpec,
  progress: BuildProgress,
  parts: EngineParts,
  signal: AbortSignal,
): Promise<{ revision: string }> {
  const built = await readRelease(appLayout(parts.dataDir, spec.appId), spec.number);
  if (built !== undefined) return { revision: built.revision };
  const revision = await withBuildLog({ spec, logs: parts.logs, signal }, (say) =>
    make({ spec, progress, say }, parts, signal),
  );
  return { revision };
}

type Making = { spec: ReleaseSpec; progress: BuildProgress; say: WriteLine };

async function make(
  { spec, progress, say }: Making,
  parts: EngineParts,
  signal: AbortSignal,
): Promise<string> {
  if (spec.origin.kind === 'image') throw imageUnsupported();
  const layout = appLayout(parts.dataDir, spec.appId);
  const { url, ref } = spec.origin;
  const identity = await prepareApp(spec.appId, parts);
  const context: BuildContext = { spec, identity, layout, parts, say, signal };
  try {
    await endBuild(context);
    await removeTree(layout.release(spec.number), signal);
    progress('fetching');
    const credential = await gitCredentialFor(spec, parts, signal);
    const revision = await fetchSource({ url, ref }, fetchingOf(context, credential), signal);
    say(`Checked out ${revision}`);
    progress('building');
    const start = await buildCheckout(context);
    await writeRelease(layout, { number: spec.number, revision, start });
    return revision;
  } catch (error) {
    await removeTree(layout.release(spec.number), new AbortController().signal);
    throw error;
  } finally {
    await endBuild(context);
  }
}

function fetchingOf(
  { spec, identity, layout, parts, say }: BuildContext,
  credential: Fetching['credential'],
): Fetching {
  return {
    credential,
    folder: layout.release(spec.number),
    home: layout.home,
    identity,
    guard: parts,
    confinement: parts.confinement,
    localGitConfig: parts.localGitConfig,
    limits: parts.limits,
    marks: buildMarks(spec.appId),
    isAppUser: parts.identities.isApps,
    say,
  };
}

async function buildCheckout(context: BuildContext): Promise<ReleaseRecord['start']> {
  const { spec, layout, say } = context;
  const folder = layout.release(spec.number);
  const checkout = await readCheckout(folder);
  const detection = detect(checkout);
  const dockerfile = checkout.texts.Dockerfile === undefined ? [] : [DOCKERFILE_UNUSED];
  if (detection.kind === 'nothing') {
    throw new EngineFailure(detection.reason, [...dockerfile, ...detection.evidence]);
  }
  const { plan } = detection;
  for (const line of [...dockerfile, ...plan.evidence]) say(line);
  context.parts.groups?.make(buildGroup(spec.appId), context.parts.limits.build);
  await ensureTools(plan, context);
  await runSteps(plan, context);
  return startOf(plan, (await readCheckout(folder)).files);
}

const DOCKERFILE_UNUSED =
  'Found a Dockerfile, which needs Docker: start Longshore with LONGSHORE_ENGINE=docker to build it';

/** A site that had to be built lies where its tool put it. */
function startOf({ start, path }: BuildPlan, files: string[]): ReleaseRecord['start'] {
  if (start.kind === 'command') return { ...start, argv: [...start.argv], path };
  const folder = start.folders.find((name) => files.includes(indexOf(name)));
  if (folder !== undefined) return { kind: 'static', folder };
  throw new EngineFailure('nothing-to-build', [
    `The build wrote no index.html to ${start.folders.join(', ')}`,
    'Add a start script to package.json, or let the build write its pages to dist',
  ]);
}

/** A build may have left something running, now or before an earlier server was killed. */
async function endBuild({ spec, identity, parts }: BuildContext): Promise<void> {
  await endLeftovers({ identity, marks: buildMarks(spec.appId), isAlone: false });
  await endInGroup(parts.groups, buildGroup(spec.appId));
}

function imageUnsupported(): EngineFailure {
  return new EngineFailure('image-unsupported', [
    'Start Longshore with LONGSHORE_ENGINE=docker to run images',
  ]);
}
