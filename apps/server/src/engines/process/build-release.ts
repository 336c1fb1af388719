import { existsSync, readFileSync } from 'node:fs';
import { type BuildInputs, buildLogName } from '@longshore/contract';
import type { BuildPlan } from '../../build/build-plan.ts';
import { buildVariables } from '../../build/build-variables.ts';
import { detectedOf } from '../../build/detected.ts';
import { type FetchedCode, type FetchOptions, fetchSource } from '../../build/fetch-source.ts';
import { gitGroupName } from '../../build/git-runner.ts';
import { provideNode } from '../../build/node/provide-node.ts';
import { planBuild } from '../../build/plan-build.ts';
import { checkProjectFolder, projectFolder } from '../../build/project-folder.ts';
import { DOCKERFILE_UNUSED, withProposedRoots } from '../../build/proposed-roots.ts';
import { configuresPip } from '../../build/python/packages-of-day.ts';
import { type MachinePython, providePython } from '../../build/python/provide-python.ts';
import { readProject } from '../../build/read-checkout.ts';
import { findSiteFolder, missingSite } from '../../build/site-folder.ts';
import { typedCommand } from '../../build/typed-command.ts';
import { type WriteLine, withBuildLog } from '../build-log.ts';
import { isCacheCleared } from '../cache-clears.ts';
import type { Build, BuildProgress, ReleaseSpec } from '../engine.ts';
import { EngineFailure } from '../failure.ts';
import { gitCredentialFor } from '../source-credentials.ts';
import { buildGroupName, killGroup } from './app-control-groups.ts';
import {
  clearCache,
  createTemporary,
  openFiles,
  prepareApp,
  removeOldTemporaries,
  removeRelease,
  removeTemporary,
} from './app-files.ts';
import {
  BUILD_TEMPORARY,
  type BuildContext,
  checkTools,
  runSteps,
  type ToolVersions,
} from './build-steps.ts';
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
): Promise<Build> {
  const built = await readReleaseRecord(appLayout(deps.dataDir, spec.appId), spec.number, deps);
  if (built !== undefined) return { revision: built.revision, inputs: built.inputs };
  return await withBuildLog({ spec, logs: deps.logs, signal }, (writeLine) =>
    build({ spec, progress, writeLine }, deps, signal),
  );
}

type BuildRequest = { spec: ReleaseSpec; progress: BuildProgress; writeLine: WriteLine };

async function build(
  { spec, progress, writeLine }: BuildRequest,
  deps: EngineDeps,
  signal: AbortSignal,
): Promise<Build> {
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

async function buildInFiles(context: BuildContext, target: BuildTarget): Promise<Build> {
  const { spec, identity, files, deps, writeLine, signal } = context;
  const { progress, layout, source } = target;
  try {
    await removeRelease(files, spec.number, deps, signal);
    if (await isCacheCleared(layout.cacheClears, spec, writeLine)) {
      await clearCache(files, identity, { isolated: deps.isolated, signal });
    }
    progress({ phase: 'fetching' });
    const credential = await gitCredentialFor(spec, deps, signal);
    const { url, ref } = source;
    const fetching = fetchOptions(context, credential);
    const { revision, ...fetched } = await fetchSource({ url, ref }, fetching, signal);
    progress({ phase: 'building', revision });
    if (deps.isolated !== undefined) createTemporary(files, BUILD_TEMPORARY, identity);
    const { start, inputs } = await buildCheckout(context, fetched, progress);
    const root = deps.isolated === undefined ? {} : { root: SANDBOX.release };
    await files.flush(signal);
    await writeReleaseRecord(layout, { number: spec.number, revision, inputs, start, ...root });
    return { revision, inputs };
  } catch (error) {
    await stopBuildProcesses(context);
    const folder = files.release(spec.number);
    const failure = await withProposedRoots(error, {
      folder,
      build: spec.build,
      usesDockerfiles: false,
    });
    await removeRelease(files, spec.number, deps, new AbortController().signal);
    throw failure;
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
    appId: spec.appId,
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

type BuiltCheckout = Pick<ReleaseRecord, 'start'> & { inputs: BuildInputs };

async function buildCheckout(
  context: BuildContext,
  fetched: Omit<FetchedCode, 'revision'>,
  progress: BuildProgress,
): Promise<BuiltCheckout> {
  const { spec, files, writeLine } = context;
  const release = files.release(spec.number);
  if (spec.build?.dockerfile !== undefined) throw dockerfileUnsupported();
  await checkProjectFolder(release, spec);
  const folder = projectFolder(release, spec);
  const checkout = { ...(await readProject(release, spec.build?.rootDirectory)), ...fetched };
  const detection = planBuild(checkout, spec);
  const dockerfile = checkout.texts.Dockerfile === undefined ? [] : [DOCKERFILE_UNUSED];
  if (detection.kind === 'nothing') {
    throw new EngineFailure('nothing-to-build', [...dockerfile, ...detection.evidence]);
  }
  progress({ phase: 'detected', detected: detectedOf(detection.plan, checkout) });
  if (context.deps.isolated === undefined) {
    context.deps.groups?.create(buildGroupName(spec.appId), context.deps.limits.build);
  }
  const tools = await checkTools(detection.plan, context);
  const withNode = provideNode(detection.plan, INCLUDED_NODE);
  const plan = providePython(withNode, machinePython(tools, spec));
  for (const line of [...dockerfile, ...plan.evidence]) writeLine(line);
  await runSteps(plan, context);
  // A step may have replaced a folder by a link.
  await checkProjectFolder(release, spec);
  const start = await startPlanOf(plan, folder);
  if (start !== undefined) {
    return { start, inputs: { arguments: [], startCommand: detection.needsStartCommand } };
  }
  const command = spec.run?.command;
  if (command === undefined) throw await noSite(plan, folder);
  const typed = { ...typedCommand(command), path: plan.path };
  return {
    start: { ...typed, argv: [...typed.argv] },
    inputs: { arguments: [], startCommand: true },
  };
}

function dockerfileUnsupported(): EngineFailure {
  return new EngineFailure('toolchain-missing', [
    'The setting Dockerfile needs Docker: start Longshore with LONGSHORE_ENGINE=docker, or clear the setting',
  ]);
}

const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
const INCLUDED_NODE = {
  version: process.versions.node,
  arch: process.arch,
  certificates: CERTIFICATES,
  lacksHeaders: true,
};

/** The settings of pip that builds see. */
const PIP_CONFIGURATION = '/etc/pip.conf';

function machinePython({ python3: version = '' }: ToolVersions, spec: ReleaseSpec): MachinePython {
  const certificates = existsSync(CERTIFICATES) ? { certificates: CERTIFICATES } : {};
  const settings = existsSync(PIP_CONFIGURATION) ? readFileSync(PIP_CONFIGURATION, 'utf8') : '';
  const isPipConfigured = configuresPip(buildVariables(spec), settings);
  return { version, arch: process.arch, isPipConfigured, ...certificates };
}

/** A static site is in the first output folder that has an index.html. Undefined if there is none. */
async function startPlanOf(
  { start, path }: BuildPlan,
  release: string,
): Promise<ReleaseRecord['start'] | undefined> {
  if (start.kind === 'command') return { ...start, argv: [...start.argv], path };
  const folder = await findSiteFolder(release, start.folders);
  if (folder === undefined) return undefined;
  return { kind: 'static', folder, ...(start.isSinglePage ? { isSinglePage: true } : {}) };
}

async function noSite({ start }: BuildPlan, release: string): Promise<EngineFailure> {
  const folders = start.kind === 'static' ? start.folders : [];
  return new EngineFailure('output-missing', await missingSite(release, folders));
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
