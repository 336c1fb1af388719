import { buildLogName } from '@longshore/contract';
import type { BuildPlan } from '../../build/build-plan.ts';
import { detect } from '../../build/detect.ts';
import { indexOf } from '../../build/detect-site.ts';
import { type FetchOptions, fetchSource } from '../../build/fetch-source.ts';
import { gitGroupName } from '../../build/git-runner.ts';
import { readCheckout } from '../../build/read-checkout.ts';
import { type WriteLine, withBuildLog } from '../build-log.ts';
import type { BuildProgress, ReleaseSpec } from '../engine.ts';
import { EngineFailure } from '../failure.ts';
import { gitCredentialFor } from '../source-credentials.ts';
import { buildGroupName, killGroup } from './app-control-groups.ts';
import {
  createTemporary,
  openFiles,
  prepareApp,
  removeOldTemporaries,
  removeRelease,
  removeTemporary,
} from './app-files.ts';
import { BUILD_TEMPORARY, type BuildContext, checkTools, runSteps } from './build-steps.ts';
import type { EngineDeps } from './deps.ts';
import { blameAppDisk, checkMachineSpace } from './disk-space.ts';
import { buildMarks } from './environment.ts';
import { type AppLayout, appLayout } from './layout.ts';
import { killLeftovers } from './leftovers.ts';
import { type ReleaseRecord, readReleaseRecord, writeReleaseRecord } from './release-record.ts';
import { SANDBOX } from './sandbox-view.ts';

/** Builds a release. Files of an earlier attempt are removed. */
export async function buildRelease(
  spec: ReleaseSpec,
  progress: BuildProgress,
  deps: EngineDeps,
  signal: AbortSignal,
): Promise<{ revision: string }> {
  const built = await readReleaseRecord(appLayout(deps.dataDir, spec.appId), spec.number, deps);
  if (built !== undefined) return { revision: built.revision };
  const revision = await withBuildLog({ spec, logs: deps.logs, signal }, (writeLine) =>
    build({ spec, progress, writeLine }, deps, signal),
  );
  return { revision };
}

type BuildRequest = { spec: ReleaseSpec; progress: BuildProgress; writeLine: WriteLine };

async function build(
  { spec, progress, writeLine }: BuildRequest,
  deps: EngineDeps,
  signal: AbortSignal,
): Promise<string> {
  if (spec.origin.kind === 'image') throw imageUnsupported();
  const layout = appLayout(deps.dataDir, spec.appId);
  const identity = await prepareApp(spec.appId, deps);
  await stopBuildProcesses({ spec, identity, deps });
  await checkMachineSpace(deps);
  deps.isolated?.guard.checkApp(spec.appId);
  const files = await openFiles(spec.appId, deps, signal);
  try {
    await removeOldTemporaries(spec.appId, files, { deps, signal });
    const context = { spec, identity, files, deps, writeLine, signal };
    return await buildInFiles(context, { progress, layout, source: spec.origin });
  } catch (error) {
    deps.isolated?.guard.checkApp(spec.appId);
    throw await blameAppDisk(error, deps);
  } finally {
    await files.close();
  }
}

type BuildTarget = { progress: BuildProgress; layout: AppLayout; source: FetchedOrigin };
type FetchedOrigin = { url: string; ref: string };

async function buildInFiles(context: BuildContext, target: BuildTarget): Promise<string> {
  const { spec, identity, files, deps, writeLine, signal } = context;
  const { progress, layout, source } = target;
  try {
    await removeRelease(files, spec.number, deps, signal);
    progress({ phase: 'fetching' });
    const credential = await gitCredentialFor(spec, deps, signal);
    const { url, ref } = source;
    const revision = await fetchSource({ url, ref }, fetchOptions(context, credential), signal);
    writeLine(`Checked out ${revision}`);
    progress({ phase: 'building', revision });
    if (deps.isolated !== undefined) createTemporary(files, BUILD_TEMPORARY, identity);
    const start = await buildCheckout(context);
    const root = deps.isolated === undefined ? {} : { root: SANDBOX.release };
    await writeReleaseRecord(layout, { number: spec.number, revision, start, ...root });
    return revision;
  } catch (error) {
    await stopBuildProcesses(context);
    await removeRelease(files, spec.number, deps, new AbortController().signal);
    throw error;
  } finally {
    await stopBuildProcesses(context);
    await removeBuildTemporary(context);
  }
}

function fetchOptions(
  { spec, identity, files, deps, writeLine }: BuildContext,
  credential: FetchOptions['credential'],
): FetchOptions {
  return {
    credential,
    sandbox: deps.isolated?.sandbox,
    group: gitGroupName(spec.appId),
    folder: files.release(spec.number),
    home: files.home,
    identity,
    sourcePolicy: deps,
    confinement: deps.confinement,
    localGitConfig: deps.localGitConfig,
    limits: deps.limits,
    marks: buildMarks(spec.appId),
    isAppUser: deps.identities.isAppUid,
    writeLine,
  };
}

async function buildCheckout(context: BuildContext): Promise<ReleaseRecord['start']> {
  const { spec, files, writeLine } = context;
  const folder = files.release(spec.number);
  const checkout = await readCheckout(folder);
  const detection = detect(checkout);
  const dockerfile = checkout.texts.Dockerfile === undefined ? [] : [DOCKERFILE_UNUSED];
  if (detection.kind === 'nothing') {
    throw new EngineFailure(detection.reason, [...dockerfile, ...detection.evidence]);
  }
  const { plan } = detection;
  for (const line of [...dockerfile, ...plan.evidence]) writeLine(line);
  if (context.deps.isolated === undefined) {
    context.deps.groups?.create(buildGroupName(spec.appId), context.deps.limits.build);
  }
  await checkTools(plan, context);
  await runSteps(plan, context);
  return startPlanOf(plan, (await readCheckout(folder)).files);
}

const DOCKERFILE_UNUSED =
  'Found a Dockerfile, which needs Docker: start Longshore with LONGSHORE_ENGINE=docker to build it';

/** A static site is in the first output folder that has an index.html. */
function startPlanOf({ start, path }: BuildPlan, files: string[]): ReleaseRecord['start'] {
  if (start.kind === 'command') return { ...start, argv: [...start.argv], path };
  const folder = start.folders.find((name) => files.includes(indexOf(name)));
  if (folder !== undefined) return { kind: 'static', folder };
  throw new EngineFailure('nothing-to-build', [
    `The build wrote no index.html to ${start.folders.join(', ')}`,
    'Add a start script to package.json, or let the build write its pages to dist',
  ]);
}

/** Kills processes that this build, or one of an earlier server, left running. */
async function stopBuildProcesses({
  spec,
  identity,
  deps,
}: Pick<BuildContext, 'spec' | 'identity' | 'deps'>): Promise<void> {
  await killLeftovers({ identity, marks: buildMarks(spec.appId), isAlone: false });
  for (const group of [buildGroupName(spec.appId), gitGroupName(spec.appId)]) {
    await killGroup(deps.groups, group);
  }
}

/** The folder may be large. It is removed while the disk is open anyway. */
async function removeBuildTemporary({ files, deps }: BuildContext): Promise<void> {
  if (deps.isolated === undefined) return;
  await removeTemporary(files, BUILD_TEMPORARY, new AbortController().signal);
}

function imageUnsupported(): EngineFailure {
  return new EngineFailure('image-unsupported', [
    'Start Longshore with LONGSHORE_ENGINE=docker to run images',
  ]);
}

/**
 * Both releases share one folder: a copy would take time, and build output may contain the absolute path of its folder.
 */
export async function reuseRelease(
  { appId, number }: ReleaseSpec,
  from: number,
  deps: EngineDeps,
): Promise<void> {
  const layout = appLayout(deps.dataDir, appId);
  const built = await readReleaseRecord(layout, from, deps);
  if (built === undefined) {
    throw new EngineFailure('engine-failed', [`Release ${from} is not built`]);
  }
  const writeLine = (line: string) => deps.logs.append(appId, buildLogName(appId, number), line);
  writeLine(`Release ${number}: reusing the build of release ${from}, ${built.revision}`);
  await writeReleaseRecord(layout, { ...built, number, builtAs: built.builtAs ?? built.number });
}
