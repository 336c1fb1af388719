import type { Release } from '../apps/releases.ts';
import type { Instance } from '../engines/engine.ts';
import { requireHealthy } from './health/apply-health.ts';
import { lastLines } from './last-lines.ts';
import type { PassContext } from './pass-context.ts';
import { runOf } from './plan-input.ts';
import { isWeb } from './processes/process-plan.ts';
import { specOf } from './release-spec.ts';
import { reportPhase, reportProgress } from './report-status.ts';
import type { StepOf } from './step.ts';

/** No instance gets another request before it drains. */
export async function stopInstances(step: StepOf<'stop'>, pass: PassContext): Promise<void> {
  const { desired, signal, deps } = pass;
  const { instances, progress } = step;
  if (progress !== undefined) await reportProgress(progress, pass);
  const runs = instances.map(runOf);
  pass.checks.end(runs);
  deps.routing.leave(desired, runs, step);
  const stopping = instances.map(async (instance) => {
    if (isWeb(instance)) await deps.routing.drained(instance);
    await deps.engine.stopInstance(desired.id, instance, signal);
  });
  await allDone(stopping);
}

/** `missing`: how many instances were not started. */
export class StartFailed extends Error {
  readonly missing: number;
  constructor(missing: number, cause: unknown) {
    super('An instance could not be started', { cause });
    this.missing = missing;
  }
}

/** One after the other, as engines require. */
export async function startInstances(
  { release, role, count }: StepOf<'start'>,
  pass: PassContext,
): Promise<void> {
  const { signal, deps } = pass;
  // The status is about the newest release, even while the fallback serves.
  if (role === 'newest') await reportPhase('starting', release, pass);
  for (let started = 0; started < count; started += 1) {
    try {
      const { logName } = await deps.engine.startInstance(specOf(release, pass), signal);
      deps.health.recordStart(logName);
    } catch (error) {
      throw new StartFailed(count - started, error);
    }
  }
}

/** Not before the edge has their addresses: until then, those that they replace must stay. */
export async function protectInstances(
  { instances }: StepOf<'protect'>,
  { desired, signal, retries, deps }: PassContext,
): Promise<void> {
  await Promise.race([deps.routing.applied(), rejectedBy(signal)]);
  await deps.engine.protectInstances?.(desired.id, instances, signal);
  retries.recordProtected();
}

function rejectedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

export type FailedCheck = { instance: Instance; error: unknown; othersServe: boolean };

export class ChecksFailed extends Error {
  readonly failed: FailedCheck[];
  constructor(failed: FailedCheck[]) {
    super('An instance did not answer', { cause: failed[0]?.error });
    this.failed = failed;
  }
}

/** The instances that answer get the traffic together, instead of what serves. */
export async function checkInstances(step: StepOf<'check'>, pass: PassContext): Promise<void> {
  const { instances, release, traffic } = step;
  const { desired, deps } = pass;
  const { store, routing } = deps;
  const answered: Instance[] = [];
  const failures: Omit<FailedCheck, 'othersServe'>[] = [];
  // After a server restart, a release that served before is checked again; its progress is not reported.
  if (release.outcome === undefined) await reportPhase('checking', release, pass);
  const checks = instances.map(async (instance) => {
    try {
      answered.push(await checkInstance(instance, release, pass));
    } catch (error) {
      failures.push({ instance, error });
    }
  });
  await Promise.all(checks);
  if (failures.length > 0 && traffic === 'switch') throw failures[0]?.error;
  if (release.outcome === undefined) {
    await store.addPhase(desired.id, release.number, 'live');
    const end = { appId: desired.id, number: release.number, outcome: 'live' } as const;
    // Cancelled in the meantime: the next step stops the instances.
    if (!(await store.endRelease(end))) return;
    if (release.values.healthCheck) deps.health.recordSwitch(desired.id, release.number);
  }
  // Last: only instances that do not serve are checked again, so a failure above is retried.
  if (answered.length > 0) routing.switchTo(desired, answered);
  const othersServe = answered.length > 0;
  if (failures.length > 0) {
    throw new ChecksFailed(failures.map((failure) => ({ ...failure, othersServe })));
  }
}

/** As it answers. */
export async function checkInstance(
  instance: Instance,
  release: Release,
  pass: PassContext,
): Promise<Instance> {
  const { desired, signal, deps } = pass;
  const startedAt = deps.clock.now();
  const spec = specOf(release, pass);
  const listening = await deps.engine.waitUntilListening(instance, spec, signal);
  const { instance: checked, foundPort: port } = listening;
  if (port !== undefined) await deps.store.addDetected(desired.id, release.number, { port });
  const lines = () => lastLines(checked, pass);
  await requireHealthy(checked, release, { pass, startedAt, lines });
  return checked;
}

/** Waits for all of them: an aborted call has stopped its work when it rejects. */
async function allDone(works: Promise<void>[]): Promise<void> {
  const results = await Promise.allSettled(works);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
