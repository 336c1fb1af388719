import type { Release } from '../apps/releases.ts';
import type { Instance } from '../engines/engine.ts';
import {
  isInRotation,
  isRunning,
  type PlanInput,
  retryOf,
  runOf,
  servingInstances,
} from './plan-input.ts';
import type { Role, Step } from './step.ts';

/** `canStay`: an instance for which it is false serves until its replacement does. */
export type ScaledRelease = {
  release: Release;
  role: Role;
  canStay(instance: Instance): boolean;
};

/**
 * The next step to get the desired number of instances of a release into rotation. Undefined: they are. A release that has not
 * served yet gets the traffic when all of them have answered. An instance that exited or did not answer holds its place until it
 * may be replaced, and so do those that could not be started. The others are not delayed by it.
 */
export function scaleStep(input: PlanInput, scaled: ScaledRelease): Step | undefined {
  const { desired, observed, now } = input;
  const { release, role } = scaled;
  const unprotected = protectStep(input, release);
  if (unprotected !== undefined) return unprotected;
  const adopted = adoptedStep(input, release, role);
  if (adopted !== undefined) return adopted;
  const unhealthy = unhealthyStep(input, release);
  if (unhealthy !== undefined) return unhealthy;
  const staying = stayingInstances(input, scaled);
  if (staying.length === desired.replicas) return checkStep(input, scaled, staying);
  const failed = observed.instances.filter(
    (instance) => instance.release === release.number && hasFailed(instance, input, role),
  );
  const retry = retryOf(input, role);
  const replaceAt = (instance: Instance) => retry?.replaceAt.get(runOf(instance));
  const uncounted = failed.find((instance) => replaceAt(instance) === undefined);
  if (uncounted !== undefined) return crashedStep(input, scaled, uncounted);
  const due = failed.filter((instance) => (replaceAt(instance) ?? now) <= now);
  if (due.length > 0) return { kind: 'stop', instances: due, progress: undefined };
  const unstarted = retry?.unstarted && retry.unstarted.until > now ? retry.unstarted : undefined;
  const count = desired.replicas - staying.length - failed.length - (unstarted?.count ?? 0);
  // The first instance of an app that does not serve gets the traffic before the others start.
  const isFirst = isLive(release) && servingInstances(input).length === 0;
  // The others wait while it is checked, or for its restart if it failed.
  const isHeld = isFirst && staying.length + failed.length > 0;
  if (count > 0 && !isHeld) {
    const othersServe = isServing(input, release);
    return { kind: 'start', release, role, count: isFirst ? 1 : count, othersServe };
  }
  const check = isLive(release) ? checkStep(input, scaled, staying) : undefined;
  const times = failed.map((instance) => replaceAt(instance) ?? now);
  if (unstarted !== undefined) times.push(unstarted.until);
  if (check?.kind === 'check' || (check !== undefined && times.length === 0)) return check;
  return { kind: 'wait', until: Math.min(...times) };
}

/**
 * A release that served before, of which instances run, serves again with those that answer. Undefined: all of them are being
 * checked.
 */
export function adoptedStep(input: PlanInput, release: Release, role: Role): Step | undefined {
  if (!isLive(release) || servingInstances(input).length > 0) return undefined;
  const instances = input.observed.instances.filter(
    (instance) =>
      instance.release === release.number &&
      !hasFailed(instance, input, role) &&
      !input.checking.has(runOf(instance)),
  );
  if (instances.length === 0) return undefined;
  return { kind: 'check', instances, release, role, traffic: 'join' };
}

/** A drain of a machine waits for it. Other steps do not: one that failed is tried again after a pause. */
function protectStep(input: PlanInput, { number }: Release): Step | undefined {
  const { desired, protectAt, now } = input;
  // A single instance has no other one that could serve meanwhile.
  if (desired.replicas === 1 || (protectAt !== undefined && now < protectAt)) return undefined;
  const instances = servingInstances(input).filter(
    ({ release, isUnprotected }) => isUnprotected === true && release === number,
  );
  return instances.length === 0 ? undefined : { kind: 'protect', instances };
}

/** Unhealthy instances leave at once if another one passes its check. Otherwise they serve until their replacements do. */
function unhealthyStep(input: PlanInput, { number }: Release): Step | undefined {
  const { desired, passingInstances } = input;
  const serving = servingInstances(input).filter((instance) => instance.release === number);
  if (!serving.some(({ logName }) => passingInstances.includes(logName))) return undefined;
  const instances = serving.filter(({ logName }) => desired.unhealthyInstances.includes(logName));
  return instances.length === 0 ? undefined : { kind: 'stop', instances, progress: undefined };
}

/** Those that run and can stay, at most as many as desired: the ones in rotation first, then the oldest. */
export function stayingInstances(input: PlanInput, scaled: ScaledRelease): Instance[] {
  const { release, role, canStay } = scaled;
  const running = input.observed.instances.filter(
    (instance) =>
      instance.release === release.number && !hasFailed(instance, input, role) && canStay(instance),
  );
  return [
    ...running.filter((instance) => isInRotation(instance, input)),
    ...running.filter((instance) => !isInRotation(instance, input)),
  ].slice(0, input.desired.replicas);
}

function checkStep(
  input: PlanInput,
  { release, role }: ScaledRelease,
  staying: Instance[],
): Step | undefined {
  const waiting = staying.filter((instance) => !isInRotation(instance, input));
  if (waiting.length === 0) return undefined;
  const instances = waiting.filter((instance) => !input.checking.has(runOf(instance)));
  if (instances.length === 0) return { kind: 'checking' };
  const traffic = isServing(input, release) ? 'join' : isLive(release) ? 'adopt' : 'switch';
  return { kind: 'check', instances, release, role, traffic };
}

function crashedStep(input: PlanInput, { release, role }: ScaledRelease, instance: Instance): Step {
  const othersServe = input.answered.has(runOf(instance)) && isServing(input, release);
  return { kind: 'crashed', instance, release, role, othersServe };
}

/** It exited, or did not answer its check and is going to be replaced. */
function hasFailed(instance: Instance, input: PlanInput, role: Role): boolean {
  if (!isRunning(instance)) return true;
  const isReplaced = retryOf(input, role)?.replaceAt.has(runOf(instance)) === true;
  return isReplaced && !isInRotation(instance, input);
}

function isServing(input: PlanInput, { number }: Release): boolean {
  return servingInstances(input).some(({ release }) => release === number);
}

function isLive({ outcome }: Release): boolean {
  return outcome === 'live';
}
