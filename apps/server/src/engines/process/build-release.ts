import { buildLogName } from '@longshore/contract';
import type { BuildPlan } from '../../build/build-plan.ts';
import { detect } from '../../build/detect.ts';
import { indexOf } from '../../build/detect-site.ts';
import { type FetchOptions, fetchSource } from '../../build/fetch-source.ts';
import { readCheckout } from '../../build/read-checkout.ts';
import { type WriteLine, withBuildLog } from '../build-log.ts';
import type { BuildProgress, ReleaseSpec } from '../engine.ts';
import { EngineFailure } from '../failure.ts';
import { gitCredentialFor } from '../source-credentials.ts';
import { buildGroupName, killGroup } from './app-control-groups.ts';
import { prepareApp } from './app-folders.ts';
import { type BuildContext, checkTools, runSteps } from './build-steps.ts';
import type { EngineDeps } from './deps.ts';
import { buildMarks } from './environment.ts';
import { appLayout } from './layout.ts';
import { killLeftovers } from './leftovers.ts';
import { type ReleaseRecord, readReleaseRecord, writeReleaseRecord } from './release-record.ts';
import { removeTree } from './remove-tree.ts';

/** Makes a release startable. What an earlier try left in its folder is thrown away. */
export async function buildRelease(
  spec: ReleaseSpec,
  progress: BuildProgress,
  parts: EngineDeps,
  signal: AbortSignal,
): Promise<{ revision: string }> {
  const built = await readReleaseRecord(appLayout(parts.dataDir, spec.appId), spec.number);
  if (built !== undefined) return { revision: built.revision };
  const revision = await withBuildLog({ spec, logs: parts.logs, signal }, (writeLine) =>
    build({ spec, progress, writeLine }, parts, signal),
  );
  return { revision };
}

type BuildRequest = { spec: ReleaseSpec; progress: BuildProgress; writeLine: WriteLine };

async function build(
  { spec, progress, writeLine }: BuildRequest,
  parts: EngineDeps,
  signal: AbortSignal,
): Promise<string> {
  if (spec.origin.kind === 'image') throw imageUnsupported();
  const layout = appLayout(parts.dataDir, spec.appId);
  const { url, ref } = spec.origin;
  const identity = await prepareApp(spec.appId, parts);
  const context: BuildContext = { spec, identity, layout, parts, writeLine, signal };
  try {
    await stopBuildProcesses(context);
    await removeTree(layout.release(spec.number), signal);
    progress('fetching');
    const credential = await gitCredentialFor(spec, parts, signal);
    const revision = await fetchSource({ url, ref }, fetchOptions(context, credential), signal);
    writeLine(`Checked out ${revision}`);
    progress('building');
    const start = await buildCheckout(context);
    await writeReleaseRecord(layout, { number: spec.number, revision, start });
    return revision;
  } catch (error) {
    await removeTree(layout.release(spec.number), new AbortController().signal);
    throw error;
  } finally {
    await stopBuildProcesses(context);
  }
}

function fetchOptions(
  { spec, identity, layout, parts, writeLine }: BuildContext,
  credential: FetchOptions['credential'],
): FetchOptions {
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
    isAppUser: parts.identities.isAppUid,
    writeLine,
  };
}

async function buildCheckout(context: BuildContext): Promise<ReleaseRecord['start']> {
  const { spec, layout, writeLine } = context;
  const folder = layout.release(spec.number);
  const checkout = await readCheckout(folder);
  const detection = detect(checkout);
  const dockerfile = checkout.texts.Dockerfile === undefined ? [] : [DOCKERFILE_UNUSED];
  if (detection.kind === 'nothing') {
    throw new EngineFailure(detection.reason, [...dockerfile, ...detection.evidence]);
  }
  const { plan } = detection;
  for (const line of [...dockerfile, ...plan.evidence]) writeLine(line);
  context.parts.groups?.create(buildGroupName(spec.appId), context.parts.limits.build);
  await checkTools(plan, context);
  await runSteps(plan, context);
  return startPlanOf(plan, (await readCheckout(folder)).files);
}

const DOCKERFILE_UNUSED =
  'Found a Dockerfile, which needs Docker: start Longshore with LONGSHORE_ENGINE=docker to build it';

/** A site that had to be built lies where its tool put it. */
function startPlanOf({ start, path }: BuildPlan, files: string[]): ReleaseRecord['start'] {
  if (start.kind === 'command') return { ...start, argv: [...start.argv], path };
  const folder = start.folders.find((name) => files.includes(indexOf(name)));
  if (folder !== undefined) return { kind: 'static', folder };
  throw new EngineFailure('nothing-to-build', [
    `The build wrote no index.html to ${start.folders.join(', ')}`,
    'Add a start script to package.json, or let the build write its pages to dist',
  ]);
}

/** A build may have left something running, now or before an earlier server was killed. */
async function stopBuildProcesses({ spec, identity, parts }: BuildContext): Promise<void> {
  await killLeftovers({ identity, marks: buildMarks(spec.appId), isAlone: false });
  await killGroup(parts.groups, buildGroupName(spec.appId));
}

function imageUnsupported(): EngineFailure {
  return new EngineFailure('image-unsupported', [
    'Start Longshore with LONGSHORE_ENGINE=docker to run images',
  ]);
}

/**
 * Both releases lie in the one folder: a copy would take its time, and what a build wrote may name the place it was
 * made in.
 */
export async function reuseRelease(
  { appId, number }: ReleaseSpec,
  from: number,
  parts: EngineDeps,
): Promise<void> {
  const layout = appLayout(parts.dataDir, appId);
  const built = await readReleaseRecord(layout, from);
  if (built === undefined) {
    throw new EngineFailure('engine-failed', [`Release ${from} is not built`]);
  }
  const writeLine = (line: string) => parts.logs.append(appId, buildLogName(appId, number), line);
  writeLine(`Release ${number}: reusing the build of release ${from}, ${built.revision}`);
  await writeReleaseRecord(layout, { ...built, number, builtAs: built.builtAs ?? built.number });
}
