import { buildLogName, type Fix, RELEASE_COMMAND_MINUTES, sizeOf } from '@longshore/contract';
import type { Release } from '../apps/releases.ts';
import {
  type BuildDetection,
  type BuildPhase,
  commandLine,
  type Instance,
} from '../engines/engine.ts';
import { EngineFailure, toEngineFailure } from '../engines/failure.ts';
import { isRetried } from '../engines/failure-messages.ts';
import { outputExcerpt } from '../processes/output-excerpt.ts';
import { crashEvidence, crashReason, exitText, sizeEvidence } from './crash-report.ts';
import type { DesiredApp } from './desired.ts';
import { delayAfterChecks, EXIT_REASONS, MACHINE_REASONS } from './failure-delay.ts';
import { adviceBeside, fixesOf } from './fixes.ts';
import { rollBack } from './health/apply-health.ts';
import {
  ChecksFailed,
  checkInstances,
  protectInstances,
  StartFailed,
  startInstances,
  stopInstances,
} from './instance-steps.ts';
import { lastLines } from './last-lines.ts';
import { failureMessage } from './messages.ts';
import type { PassContext, PassDeps } from './pass-context.ts';
import { runOf } from './plan-input.ts';
import { isWeb } from './processes/process-plan.ts';
import { confirmProcess, recordProcessCrash, startProcess } from './processes/process-steps.ts';
import { buildSpecOf, specOf } from './release-spec.ts';
import {
  reportCancelled,
  reportFailure,
  reportPhase,
  reportProgress,
  reportSettled,
  reportWaiting,
} from './report-status.ts';
import type { AppFailure } from './retries.ts';
import type { Step, StepOf } from './step.ts';

/** Steps that run code of the owner. */
const STARTING_CODE: Step['kind'][] = ['build', 'reuse', 'command', 'start'];

export type StepResult = 'continue' | 'pass-ended';

/** Applies one step for one app. A failure becomes a status, and a retry if the reason allows it. */
export async function applyStep(step: Step, pass: PassContext): Promise<StepResult> {
  try {
    return await apply(step, pass);
  } catch (error) {
    pass.signal.throwIfAborted();
    await recordFailure(error, step, pass);
    return 'continue';
  }
}

/** Removes everything of an app. The report comes last: until then, an interrupted removal is repeated. */
export async function removeApp(
  { id, generation }: Pick<DesiredApp, 'id' | 'generation'>,
  signal: AbortSignal,
  deps: PassDeps,
): Promise<void> {
  deps.routing.remove(id);
  deps.health.forget(id);
  for (const instance of (await runningInstances(id, deps, signal)).filter(isWeb)) {
    await deps.routing.drained(instance);
  }
  await deps.engine.removeApp(id, signal);
  await deps.deleteStored(id);
  await deps.store.setServing(id, undefined);
  deps.retries.forget(id);
  deps.processRetries.forget(id);
  await deps.store.report({ appId: id, generation, status: 'synced', message: '' });
}

/** None if that is unknown: an app can be removed all the same. */
async function runningInstances(
  appId: string,
  { engine }: PassDeps,
  signal: AbortSignal,
): Promise<Instance[]> {
  const observed = await engine.observe(appId, signal).catch(() => undefined);
  signal.throwIfAborted();
  return observed?.instances.filter(({ state }) => state.kind === 'running') ?? [];
}

async function apply(step: Step, pass: PassContext): Promise<StepResult> {
  const { desired, signal, retries, deps } = pass;
  if (STARTING_CODE.includes(step.kind) && 'release' in step) {
    requireAllowedOwner(step.release, desired);
  }
  switch (step.kind) {
    case 'remove':
      await removeApp(desired, signal, deps);
      return 'pass-ended';
    case 'stop':
      await stopInstances(step, pass);
      return 'continue';
    case 'release':
      await createRelease(step, pass);
      return 'continue';
    case 'build':
      await buildRelease(step, pass);
      return 'continue';
    case 'reuse':
      await deps.engine.reuseBuild(specOf(step.release, pass), step.from, signal);
      return 'continue';
    case 'command':
      await runReleaseCommand(step, pass);
      return 'continue';
    case 'start':
      await startInstances(step, pass);
      return 'continue';
    case 'check':
      if (step.traffic === 'join') pass.checks.begin(step, pass);
      else await checkInstances(step, pass);
      return 'continue';
    case 'protect':
      await protectInstances(step, pass);
      return 'continue';
    case 'checking':
      return 'pass-ended';
    case 'crashed':
      await recordCrash(step, pass);
      return 'continue';
    case 'process-start':
      await startProcess(step, pass);
      return 'continue';
    case 'process-confirm':
      await confirmProcess(step, pass);
      return 'continue';
    case 'process-crashed':
      await recordProcessCrash(step, pass);
      return 'continue';
    case 'roll-back':
      await rollBack(step, pass);
      return 'continue';
    case 'prune':
      await deps.engine.pruneReleases(desired.id, step.keep, signal);
      return 'continue';
    case 'failed':
      await reportFailedRelease(step, pass);
      return 'pass-ended';
    case 'cancelled':
      await reportCancelled(pass);
      return 'pass-ended';
    case 'wait':
      retries.wakeAt(step.until);
      return 'pass-ended';
    case 'settled':
      retries.recordSettled();
      pass.processRetries.recordSettled();
      await reportSettled(pass);
      retries.wakeAt(undefined);
      return 'pass-ended';
  }
}

/** A release that served before keeps running, also after a crash or a restart of the server. */
function requireAllowedOwner({ outcome }: Release, { refusal }: DesiredApp): void {
  if (outcome === 'live' || refusal === undefined) return;
  throw new EngineFailure('owner-not-allowed', refusal);
}

async function createRelease(
  { from, commandDone }: StepOf<'release'>,
  pass: PassContext,
): Promise<void> {
  const { id: appId, generation, desiredHash, values } = pass.desired;
  await pass.deps.store.addRelease({ appId, generation, desiredHash, values, from, commandDone });
  await reportProgress('queued', pass);
}

/** The status is about the newest release, so the build of the fallback does not change it. */
async function buildRelease({ release, role }: StepOf<'build'>, pass: PassContext): Promise<void> {
  const { desired, signal, deps } = pass;
  // Written one after the other, so that the last phase is the one shown.
  let writes = Promise.resolve();
  const write = (report: () => Promise<void>) => {
    writes = writes.then(report).catch((error) => deps.logError(error, desired.id));
  };
  const isNewest = role === 'newest';
  const onProgress = (progress: BuildPhase | BuildDetection) => {
    if (isNewest) write(() => reportBuildPhase(progress, release, pass));
  };
  const onWait = (place: number) => {
    if (isNewest) write(() => reportWaiting(place, pass));
  };
  let freeSlot = () => {};
  try {
    freeSlot = await acquireBuildSlot(pass, onWait);
    await requireDisk(pass);
    const built = await deps.engine.build(buildSpecOf(release, pass), onProgress, signal);
    await writes;
    const { id } = desired;
    if (built.inputs !== undefined) {
      await deps.store.setBuildInputs(id, release.number, built.inputs);
    }
    await deps.store.setRevision(id, release.number, built.revision);
  } finally {
    await writes;
    freeSlot();
  }
}

async function acquireBuildSlot(
  { desired, signal, deps }: PassContext,
  onWait: (place: number) => void,
) {
  const { ownerId } = desired.spec;
  const maxPerKey = await deps.ownerLimits.maxBuildsOf(ownerId);
  return await deps.buildSlots.acquire(ownerId, { maxPerKey, signal, onWait });
}

/** Checked when the build starts: while it waits for a slot, space may be used or freed. */
async function requireDisk({ desired, signal, deps }: PassContext): Promise<void> {
  const problem = await deps.ownerLimits.diskProblemOf(desired.spec.ownerId, signal);
  if (problem !== undefined) throw new EngineFailure('disk-quota-reached', [problem]);
}

/** The commit is stored before the build, so that it is known also if the build fails. A retry builds the same commit. */
async function reportBuildPhase(
  progress: BuildPhase | BuildDetection,
  release: Release,
  pass: PassContext,
): Promise<void> {
  const { desired, deps } = pass;
  if (progress.phase === 'detected') {
    return await deps.store.addDetected(desired.id, release.number, progress.detected);
  }
  if (progress.phase === 'building') {
    await deps.store.setRevision(desired.id, release.number, progress.revision);
  }
  await reportPhase(progress.phase, release, pass);
}

/** One id for all releases of an app, so that no two of their commands run at once. */
const RELEASE_COMMAND_ID = 'release';

async function runReleaseCommand({ release }: StepOf<'command'>, pass: PassContext): Promise<void> {
  const { desired, signal, deps } = pass;
  const text = release.values.run?.releaseCommand;
  if (text === undefined) return;
  await reportPhase('releasing', release, pass);
  const logName = buildLogName(desired.id, release.number);
  const timeoutMs = RELEASE_COMMAND_MINUTES * 60_000;
  const command = { id: RELEASE_COMMAND_ID, text, logName, timeoutMs };
  const end = await deps.engine.runCommand(specOf(release, pass), command, signal);
  if (end.kind === 'exited' && end.exit.code === 0) {
    return await deps.store.setCommandDone(desired.id, release.number, text);
  }
  const printed = await lastLines({ logName }, pass);
  const lines = outputExcerpt(printed.slice(printed.lastIndexOf(commandLine(text)) + 1));
  if (end.kind === 'timed-out') {
    const sentence = `Timed out after ${RELEASE_COMMAND_MINUTES} minutes`;
    throw new EngineFailure('release-command-timed-out', [sentence, ...lines]);
  }
  const size = end.exit.isOutOfMemory === true ? await explainSize(release, pass) : NO_SIZE;
  const evidence = [exitText(end.exit), ...size.evidence, ...lines];
  throw new EngineFailure('release-command-failed', evidence, { fixes: size.fixes });
}

/** The status is about the newest release; a crash of the fallback is only counted. */
async function recordCrash(
  { instance, release, role, othersServe }: StepOf<'crashed'>,
  pass: PassContext,
): Promise<void> {
  if (instance.state.kind !== 'exited') return;
  const { exit } = instance.state;
  const ranMs = exit.at.getTime() - instance.startedAt.getTime();
  const exited = { run: runOf(instance), ranMs };
  if (othersServe) return pass.retries.recordRestart(role, exited);
  const crashes = pass.retries.recordFailure(role, exited);
  if (role === 'fallback') return;
  const lines = await lastLines(instance, pass);
  const reason = crashReason(exit, crashes, lines);
  if (reason === 'crash-loop') pass.deps.health.recordCrashLoop(pass.desired.id, release.number);
  const size = reason === 'out-of-memory' ? await explainSize(release, pass) : NO_SIZE;
  const fixes = fixesOf({ reason, evidence: lines, fixes: size.fixes }, release);
  const evidence = [
    ...crashEvidence(exit, crashes),
    ...size.evidence,
    ...adviceBeside(fixes, lines, release),
    ...outputExcerpt(lines),
  ];
  if (release.outcome === undefined && !isRetried(reason)) {
    await endFailed(release, new EngineFailure(reason, evidence), pass);
  } else {
    await pass.deps.store.setFixes(pass.desired.id, release.number, fixes);
    const retry = { kind: 'restart', inMs: crashes.pauseMs } as const;
    await reportFailure({ reason, evidence, retry }, pass);
  }
}

const NO_SIZE: { evidence: string[]; fixes: Fix[] } = { evidence: [], fixes: [] };

/** The size that was too small, and the next one. */
async function explainSize(
  { values: { resourceTier: from } }: Release,
  { desired, deps }: PassContext,
): Promise<typeof NO_SIZE> {
  const { id: appId, spec, replicas } = desired;
  const app = { appId, ownerId: spec.ownerId, tier: from, replicas };
  const next = await deps.ownerLimits.nextSizeOf(app);
  const evidence = sizeEvidence(sizeOf(from, deps.tiers), next);
  if (next.kind !== 'allowed') return { evidence, fixes: [] };
  const { name: tier, cpus, memoryBytes } = next.tier;
  return { evidence, fixes: [{ kind: 'size', from, tier, cpus, memoryBytes }] };
}

async function reportFailedRelease(
  { release, until }: StepOf<'failed'>,
  pass: PassContext,
): Promise<void> {
  const { reason = 'engine-failed', evidence } = release;
  await reportFailure({ reason, evidence }, pass);
  pass.retries.wakeAt(until);
}

/** Of checks that ran beside other steps. */
export async function recordFailedChecks(pass: PassContext): Promise<void> {
  const { rotation } = pass.deps.routing.rotationOf(pass.desired.id);
  const othersServe = rotation.size > 0;
  const byStep = Map.groupBy(pass.checks.takeFailed(), ({ step }) => step);
  for (const [step, failed] of byStep) {
    const checks = failed.map(({ instance, error }) => ({ instance, error, othersServe }));
    await recordFailure(new ChecksFailed(checks), step, pass);
  }
}

async function recordFailure(error: unknown, step: Step, pass: PassContext): Promise<void> {
  const cause = causeOf(error);
  const failure = toEngineFailure(cause);
  // The next observation finds the exited instance and counts it.
  if (EXIT_REASONS.includes(failure.reason)) return;
  const isLogged = failure.reason === 'engine-failed' || step.kind === 'protect';
  if (isLogged) pass.deps.logError(cause, pass.desired.id);
  // The app serves with all instances, so its status does not change.
  if (step.kind === 'protect') return pass.retries.recordUnprotected();
  const release = 'release' in step ? step.release : undefined;
  if (release !== undefined && release.outcome === undefined && !isRetried(failure.reason)) {
    return await endFailed(release, failure, pass);
  }
  const role = 'role' in step ? step.role : 'newest';
  const { reason, evidence } = failure;
  const isOfMachine = MACHINE_REASONS.includes(reason);
  const delay = delayAfter(error, step, pass);
  // A fallback has served, so its release never ends: without this, its build would be repeated for ever.
  const isFinal = role === 'fallback' && step.kind === 'build' && !isRetried(reason);
  const { pauseMs } = pass.retries.recordFailure(role, { ...delay, isOfMachine, isFinal });
  if (role === 'fallback') return;
  await reportFailure({ reason, evidence, retry: { kind: 'retry', inMs: pauseMs } }, pass);
}

/** Of several checks, the first one that found no exit. */
function causeOf(error: unknown): unknown {
  if (error instanceof StartFailed) return error.cause;
  if (!(error instanceof ChecksFailed)) return error;
  const causes = error.failed.map((each) => each.error);
  const isExit = (each: unknown) => EXIT_REASONS.includes(toEngineFailure(each).reason);
  return causes.find((each) => !isExit(each)) ?? causes[0];
}

/** A failure of some instances does not delay the others. */
function delayAfter(error: unknown, step: Step, { deps }: PassContext): AppFailure {
  if (error instanceof StartFailed && step.kind === 'start' && step.othersServe) {
    return { unstarted: error.missing };
  }
  if (!(error instanceof ChecksFailed)) return { step: step.kind };
  const checked = error.failed.map(({ instance, error: cause, othersServe }) => ({
    run: runOf(instance),
    reason: toEngineFailure(cause).reason,
    isStartedHere: deps.health.isStartedHere(instance.logName),
    othersServe,
  }));
  return delayAfterChecks(checked);
}

async function endFailed(
  release: Release,
  failure: EngineFailure,
  { desired, deps }: PassContext,
): Promise<void> {
  const { number } = release;
  const { reason, evidence } = failure;
  const fixes = fixesOf(failure, release);
  const { id: appId, generation } = desired;
  const end = { appId, number, generation, outcome: 'failed', reason, evidence, fixes } as const;
  await deps.store.endRelease({ ...end, message: failureMessage(reason, []) });
}
