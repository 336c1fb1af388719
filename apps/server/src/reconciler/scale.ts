import type { Release } from '../apps/releases.ts';
import type { Instance } from '../engines/engine.ts';
import { isInRotation, isRunning, type PlanInput, runOf, servingInstances } from './plan-input.ts';
import type { Role, Step } from './step.ts';

/** `canStay`: an instance for which it is false serves until its replacement does. */
export type ScaledRelease = {
  release: Release;
  role: Role;
  canStay(instance: Instance): boolean;
};

/**
 * The next step to get the desired number of instances of a release into rotation. Undefined: they are. A release that has not
 * served yet gets the traffic when all of them have answered. An instance that exited holds its place until it may be replaced.
 */
export function scaleStep(input: PlanInput, scaled: ScaledRelease): Step | undefined {
  const { desired, observed, now } = input;
  const { release, role } = scaled;
  const adopted = adoptedStep(input, release, role);
  if (adopted !== undefined) return adopted;
  const unhealthy = unhealthyStep(input, release);
  if (unhealthy !== undefined) return unhealthy;
  const staying = stayingInstances(input, scaled);
  if (staying.length === desired.replicas) return checkStep(input, scaled, staying);
  const exited = observed.instances.filter(
    (instance) => instance.release === release.number && !isRunning(instance),
  );
  const replaceAt = (instance: Instance) => retryOf(input, role)?.replaceAt.get(runOf(instance));
  const uncounted = exited.find((instance) => replaceAt(instance) === undefined);
  if (uncounted !== undefined) return crashedStep(input, scaled, uncounted);
  const due = exited.filter((instance) => (replaceAt(instance) ?? now) <= now);
  if (due.length > 0) return { kind: 'stop', instances: due, progress: undefined };
  const count = desired.replicas - staying.length - exited.length;
  // The first instance of an app that does not serve gets the traffic before the others start.
  const isFirst = isLive(release) && servingInstances(input).length === 0;
  // If it crashed, it waits for its restart, and the others with it.
  const isRestarting = isFirst && exited.length > 0;
  if (count > 0 && !isRestarting) {
    return { kind: 'start', release, role, count: isFirst ? 1 : count };
  }
  const check = isLive(release) ? checkStep(input, scaled, staying) : undefined;
  if (check !== undefined) return check;
  return { kind: 'wait', until: Math.min(...exited.map((instance) => replaceAt(instance) ?? now)) };
}

/** A release that served before, of which instances run, serves again with all of them that answer. */
export function adoptedStep(input: PlanInput, release: Release, role: Role): Step | undefined {
  if (!isLive(release) || servingInstances(input).length > 0) return undefined;
  const instances = input.observed.instances.filter(
    (instance) => instance.release === release.number && isRunning(instance),
  );
  if (instances.length === 0) return undefined;
  return { kind: 'check', instances, release, role, traffic: 'adopt' };
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
  const { release, canStay } = scaled;
  const running = input.observed.instances.filter(
    (instance) => instance.release === release.number && isRunning(instance) && canStay(instance),
  );
  const isServing = (instance: Instance) => isInRotation(instance, input);
  return [
    ...running.filter(isServing),
    ...running.filter((instance) => !isServing(instance)),
  ].slice(0, input.desired.replicas);
}

function checkStep(
  input: PlanInput,
  { release, role }: ScaledRelease,
  staying: Instance[],
): Step | undefined {
  const instances = staying.filter((instance) => !isInRotation(instance, input));
  if (instances.length === 0) return undefined;
  const isServing = servingInstances(input).some((serving) => serving.release === release.number);
  const traffic = isServing ? 'join' : isLive(release) ? 'adopt' : 'switch';
  return { kind: 'check', instances, release, role, traffic };
}

function crashedStep(input: PlanInput, { release, role }: ScaledRelease, instance: Instance): Step {
  const hasServed = input.answered.has(runOf(instance));
  const othersServe =
    hasServed && servingInstances(input).some((serving) => serving.release === release.number);
  return { kind: 'crashed', instance, release, role, othersServe };
}

function retryOf({ retry, fallbackRetry }: PlanInput, role: Role) {
  return role === 'newest' ? retry : fallbackRetry;
}

function isLive({ outcome }: Release): boolean {
  return outcome === 'live';
}
