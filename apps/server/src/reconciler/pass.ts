import {
  isSameJson,
  type ProcessState,
  type Serving,
  type ServingHealth,
} from '@longshore/contract';
import { desiredHashes } from '../apps/desired-hashes.ts';
import type { AppRow } from '../apps/reconciler-store.ts';
import type { Release } from '../apps/releases.ts';
import type { Instance } from '../engines/engine.ts';
import { EngineFailure } from '../engines/failure.ts';
import { applyStep, recordFailedChecks, removeApp, type StepResult } from './apply-step.ts';
import { createBackgroundChecks } from './background-checks.ts';
import { type DesiredApp, desiredApp } from './desired.ts';
import { fallbackStep } from './fallback.ts';
import { servingHealth, watchedInstances } from './health/watched-instances.ts';
import { isStillDesired, type ReleaseWork } from './interruption.ts';
import type { PassContext, PassDeps } from './pass-context.ts';
import { nextStep } from './plan.ts';
import { isRunning, type PlanInput, runOf, servingInstances } from './plan-input.ts';
import { processStates, processStep, webOnly, withProcesses } from './processes/process-plan.ts';
import type { PassControl } from './queue.ts';
import { repeatDuring } from './repeat-during.ts';
import { reportFailure, reportSameProgress } from './report-status.ts';
import type { Step } from './step.ts';

/**
 * One pass: observe, plan, apply one step, and repeat until nothing is left to do. The next pass continues where an interrupted
 * one stopped, because it observes again.
 */
export async function reconcile(
  appId: string,
  control: PassControl,
  deps: PassDeps,
): Promise<void> {
  const { signal, planned, planAgain } = control;
  const app = await deps.store.app(appId);
  if (app === undefined || app.deleted) planned();
  if (app === undefined) return await removeApp({ id: appId, generation: 0 }, signal, deps);
  if (app.deleted) return await removeApp(app, signal, deps);
  const desired = await desiredOf(app, deps);
  const retries = deps.retries.forApp(appId, desired.generation);
  const processRetries = deps.processRetries.forApp(appId, desired.generation);
  if (app.isRetryRequested) {
    retries.endWait();
    processRetries.endWait();
  }
  const checks = createBackgroundChecks(signal);
  const pass: PassContext = {
    ...{ desired, retries, processRetries, checks, planned, planAgain, signal, deps },
    read: app,
  };
  const nextWake = () => Promise.race([control.nextWake(), checks.nextEnd()]);
  try {
    await runSteps(pass, { ...control, nextWake });
  } finally {
    await checks.stop();
  }
}

/** Ends when nothing is left to do and nothing is being checked. */
async function runSteps(pass: PassContext, control: PassControl): Promise<void> {
  for (;;) {
    const woken = control.nextWake();
    const input = await planInput(pass);
    const step = nextStep(input);
    await updateRoute(input, step, pass);
    control.planned();
    const result = await applyWatched(step, input, { pass, control, woken });
    if (result === 'continue') continue;
    // A check may have ended since the plan was made: then there is another plan.
    if (input.checking.size === 0) return;
    await woken;
  }
}

/** Other passes do not wait for longer for an engine that does not respond. */
const LONG_OBSERVATION_MS = 1_000;
/** Steps that may take long. */
const LONG: Step['kind'][] = ['start', 'check', 'protect', 'stop', 'process-start'];

type Watched = { pass: PassContext; control: PassControl; woken: Promise<void> };

/** `woken`: resolves at the first wake since the step was planned. */
async function applyWatched(
  step: Step,
  input: PlanInput,
  { pass, control, woken }: Watched,
): Promise<StepResult> {
  const { desired, deps } = pass;
  const onError = (error: unknown) => deps.logError(error, desired.id);
  const watch = { control, clock: deps.clock, onError };
  if (step.kind === 'build' || step.kind === 'command') return await applyWork(step, pass, watch);
  const applying = applyStep(step, pass);
  if (step.kind === 'check' && step.traffic === 'switch') {
    return await repeatDuring(applying, { run: () => keepFallbackRunning(step, pass), ...watch });
  }
  if (!LONG.includes(step.kind)) return await applying;
  const run = () => removeEnded(step, input, pass);
  return await repeatDuring(applying, { run, firstWake: woken, ...watch });
}

/** A change of the desired state that leaves the release as it is does not interrupt the work on it. */
async function applyWork(
  step: ReleaseWork,
  pass: PassContext,
  watch: Omit<Parameters<typeof repeatDuring>[1], 'run'>,
): Promise<StepResult> {
  const { control } = watch;
  const endHold = control.holdInterrupts();
  const follow = async () => {
    if (!(await followChange(step, pass))) control.interrupt();
    return undefined;
  };
  const run = async () => {
    await follow();
    return await keepFallbackRunning(step, pass);
  };
  const work = applyStep(step, pass);
  try {
    await Promise.allSettled([
      repeatDuring(work, { run, ...watch }),
      // A step of the fallback may take long.
      repeatDuring(work, { run: follow, firstWake: control.nextWake(), ...watch }),
    ]);
    return await work;
  } finally {
    endHold();
  }
}

/** Continues with the desired state as it is now. False: the work is not needed any more. */
async function followChange(step: ReleaseWork, pass: PassContext): Promise<boolean> {
  const { desired, deps } = pass;
  const app = await deps.store.app(desired.id);
  if (app?.generation === desired.generation) return !(await delaysRetry(step, app, deps));
  const changed = app && (await desiredOf(app, deps));
  const { last } = await deps.store.releases(desired.id);
  if (changed === undefined || !isStillDesired(step, { desired: changed, last })) return false;
  pass.desired = changed;
  pass.written = undefined;
  pass.retries = deps.retries.forApp(changed.id, changed.generation);
  pass.processRetries = deps.processRetries.forApp(changed.id, changed.generation);
  await reportSameProgress(pass);
  return true;
}

/** The owner wants the newest release to be retried now, and the fallback is being built. */
async function delaysRetry(step: ReleaseWork, app: AppRow, { store }: PassDeps): Promise<boolean> {
  const isFallback = step.kind === 'build' && step.role === 'fallback';
  if (!isFallback || !app.isRetryRequested) return false;
  const { last } = await store.releases(app.id);
  // One that has failed is not retried.
  return last?.outcome === undefined;
}

async function desiredOf(app: AppRow, deps: PassDeps): Promise<DesiredApp> {
  const refusal = await deps.refusalOf(app.ownerId);
  return withStoredHashes(desiredApp(app, deps.baseDomain, refusal), deps.store);
}

/** In the form in which releases store them. */
function withStoredHashes(desired: DesiredApp, { desiredHashOf }: PassDeps['store']): DesiredApp {
  const { id, desiredHash, previousDesiredHash } = desired;
  return {
    ...desired,
    desiredHash: desiredHashOf(id, desiredHash),
    previousDesiredHash: desiredHashOf(id, previousDesiredHash),
  };
}

async function planInput(pass: PassContext): Promise<PlanInput> {
  const input = await readInput(pass);
  // Nothing would do the work of the other processes of an app that sleeps.
  const hasProcesses = processStates(input).some(({ replicas }) => replicas > 0);
  if (hasProcesses && pass.desired.instances > 0)
    pass.desired = { ...pass.desired, sleepAfterMs: undefined };
  return { ...input, desired: pass.desired };
}

async function readInput(pass: PassContext): Promise<PlanInput> {
  const { retries, checks, signal, deps } = pass;
  signal.throwIfAborted();
  await recordFailedChecks(pass);
  const health = deps.health.of(pass.desired.id);
  pass.desired = {
    ...(await withCurrentHosts(pass)),
    unhealthyInstances: health.unhealthy,
  };
  const { desired } = pass;
  const observed = await observe(pass);
  const running = observed.instances.filter(isRunning).map(runOf);
  checks.end([...checks.runs()].filter((run) => !running.includes(run)));
  const { last, live } = await deps.store.releases(desired.id);
  return {
    desired,
    observed,
    last,
    live,
    isRedeployed: last !== undefined && isRedeployed(last, pass),
    checking: checks.runs(),
    ...deps.routing.rotationOf(desired.id),
    retry: retries.next('newest'),
    fallbackRetry: retries.next('fallback'),
    protectAt: retries.protectAt(),
    processRetries: pass.processRetries.next(),
    passingInstances: health.passing,
    unhealthyRelease: health.release,
    now: deps.clock.now(),
  };
}

/** The hash of a release also covers how often a redeploy had been requested. */
function isRedeployed({ desiredHash, values }: Release, { desired, deps }: PassContext): boolean {
  const { id, redeploys } = desired;
  return !desiredHashes(values, redeploys).some(
    (hash) => deps.store.desiredHashOf(id, hash) === desiredHash,
  );
}

/** Domains are gained and lost without a new generation, and edge settings change without one, also during a long build. */
async function withCurrentHosts(pass: PassContext): Promise<DesiredApp> {
  const app = pass.read ?? (await pass.deps.store.app(pass.desired.id));
  pass.read = undefined;
  // Read only now, because a change may have been followed meanwhile.
  const { desired, deps } = pass;
  const isCurrent = app?.generation === desired.generation;
  pass.written = isCurrent ? app.written : undefined;
  // An edit causes a pass of its own.
  if (!isCurrent) return desired;
  const { hosts, policy, sleepAfterMs } = desiredApp(app, deps.baseDomain, desired.refusal);
  return { ...desired, hosts, policy, sleepAfterMs };
}

/** While the engine is down the state of the app is unknown, so its status must not stay "synced". */
async function observe(pass: PassContext) {
  const { desired, planned, planAgain, signal, deps } = pass;
  const { clock } = deps;
  let isLong = false;
  const timer = clock.setTimeout(() => {
    isLong = planned();
  }, LONG_OBSERVATION_MS);
  try {
    const observed = await deps.engine.observe(desired.id, signal);
    if (isLong) await planAgain();
    return observed;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof EngineFailure && error.reason === 'engine-down') {
      await setServing(undefined, pass);
      await reportFailure(error, pass);
    }
    throw error;
  } finally {
    clock.clearTimeout(timer);
  }
}

/** Updates the route, and publishes which release serves. */
async function updateRoute(input: PlanInput, step: Step, pass: PassContext): Promise<void> {
  const { desired, deps } = pass;
  const isAdopted = deps.routing.update({ ...input, desired }, step);
  const serving = desired.instances === 0 ? [] : servingInstances(input);
  const watched = watchedInstances(input, serving);
  deps.health.watch(desired.id, watched);
  if (isAdopted) return;
  const health = servingHealth(watched, deps.health.of(desired.id));
  const processes = processStates(input);
  await setServing(servingOf(desired, serving, { health, processes }), pass);
}

async function setServing(serving: Serving | undefined, pass: PassContext): Promise<void> {
  if (pass.written !== undefined && isSameJson(pass.written.serving, serving)) return;
  await pass.deps.store.setServing(pass.desired.id, serving);
  if (pass.written !== undefined) pass.written = { ...pass.written, serving };
}

function servingOf(
  { hosts }: DesiredApp,
  serving: Instance[],
  { health, processes }: { health: ServingHealth | undefined; processes: ProcessState[] },
): Serving | undefined {
  const [first] = serving;
  if (first === undefined) return undefined;
  const { release, logName } = first;
  const names = serving.length > 1 ? { logNames: serving.map((each) => each.logName) } : {};
  return {
    release,
    logName,
    ...names,
    hosts,
    ...(processes.length > 0 && { processes }),
    ...(health && { health }),
  };
}

/** Takes instances that have ended out of rotation, also during a long step. They are replaced afterwards. */
async function removeEnded(step: Step, input: PlanInput, pass: PassContext): Promise<undefined> {
  const { desired, deps } = pass;
  const { rotation } = deps.routing.rotationOf(desired.id);
  if (rotation.size === 0) return;
  const observed = await observe(pass);
  const serving = servingInstances({ observed, rotation }).map(runOf);
  const ended = [...rotation].filter((run) => !serving.includes(run));
  if (ended.length === 0) return;
  deps.routing.leave(desired, ended, step);
  const changed = { ...input, observed, ...deps.routing.rotationOf(desired.id) };
  await updateRoute(changed, step, pass);
}

/** Keeps the fallback release running until a build, a command or the check of a new release ends. Returns when it may be retried, if it has to wait. */
async function keepFallbackRunning(workStep: Step, pass: PassContext): Promise<number | undefined> {
  for (;;) {
    const input = await planInput(pass);
    const isHibernated = input.desired.instances === 0;
    const step = isHibernated ? nextStep(input) : meanwhileStep(input);
    await updateRoute(input, step ?? workStep, pass);
    if (step === undefined || step.kind === 'checking' || step.kind === 'settled') return undefined;
    if (step.kind === 'wait') return step.until;
    await applyStep(step, pass);
  }
}

/** Of the fallback and of the processes other than `web`. */
function meanwhileStep(input: PlanInput): Step | undefined {
  const web = fallbackStep(webOnly(input));
  return web === undefined ? processStep(input) : withProcesses(input, web);
}
