import { canReuseBuild, keepsBuild, survivesEdit } from '@longshore/contract';
import type { Release } from '../apps/releases.ts';
import type { Instance, ObservedApp } from '../engines/engine.ts';
import type { DesiredApp } from './desired.ts';
import { fallbackOf, fallbackStep, preferFallback } from './fallback.ts';
import { isAsDesired, isRunning, type PlanInput, servingInstance } from './plan-input.ts';
import { inheritedCommand, isReleaseCommandDue } from './release-command.ts';
import type { Step } from './step.ts';

export function nextStep(input: PlanInput): Step {
  const { desired } = input;
  if (desired.isDeleted) return { kind: 'remove' };
  if (desired.instances === 0) return pauseStep(input) ?? hibernateStep(input);
  const release = releaseToRun(input);
  const current = { ...input, last: release ?? input.last };
  const rollBack = rollBackStep(current);
  if (rollBack !== undefined) return rollBack;
  const step = release === undefined ? releaseStep(input) : runStep(current, release);
  return preferFallback(current, pauseStep(input) ?? step);
}

/** Undefined: a new release is needed. After a cancelled release, the one that served before it stays. */
function releaseToRun({ desired, last, live }: PlanInput): Release | undefined {
  if (last === undefined || !isAttemptFor(desired, last)) return undefined;
  return last.outcome === 'cancelled' ? (live[0] ?? last) : last;
}

/** Only to a release that can be started at once. Without one, the unhealthy instance is replaced. */
function rollBackStep({ last, live, observed, unhealthyRelease }: PlanInput): Step | undefined {
  if (last?.outcome !== 'live' || last.number !== unhealthyRelease?.number) return undefined;
  const before = live.find(({ number }) => number !== last.number);
  if (before === undefined || !observed.built.includes(before.number)) return undefined;
  const { problem } = unhealthyRelease;
  return { kind: 'roll-back', release: last, to: before.number, problem };
}

/** A failed step is not repeated before its pause is over. A crash delays its own release only. */
function pauseStep({ retry, now }: PlanInput): Step | undefined {
  const isStepRetry = retry !== undefined && retry.instanceId === undefined;
  return isStepRetry && now < retry.at ? { kind: 'wait', until: retry.at } : undefined;
}

function hibernateStep(input: PlanInput): Step {
  const { instances } = input.observed;
  return instances.length > 0 ? stopStep(input, instances) : { kind: 'settled' };
}

function stopStep(input: PlanInput, instances: Instance[]): Step {
  const { desired, last } = input;
  const isSwitched =
    desired.instances > 0 &&
    last !== undefined &&
    matchesDesired(desired, last) &&
    servingInstance(input)?.release === last.number;
  return { kind: 'stop', instances, progress: isSwitched ? 'live' : 'stopping' };
}

function runStep(input: PlanInput, release: Release): Step {
  return (
    adoptStep(input, release) ?? stopLeftoversStep(input, release) ?? attemptStep(input, release)
  );
}

function releaseStep(input: PlanInput): Step {
  const { desired, observed, live } = input;
  const from =
    keptBuild(input) ??
    live.find(
      (release) =>
        observed.built.includes(release.number) && canReuseBuild(desired.values, release),
    );
  return { kind: 'release', from, commandDone: inheritedCommand(desired.values, from) };
}

/** The build of the newest release, or the one that it was going to reuse, if the desired values need no other. */
function keptBuild({ desired, observed, last, isRedeployed }: PlanInput): Release | undefined {
  if (last === undefined || isRedeployed || !keepsBuild(desired.values, last)) return undefined;
  const number = [last.number, last.from].find(
    (candidate) => candidate !== undefined && observed.built.includes(candidate),
  );
  return number === undefined ? undefined : { ...last, number };
}

function isAttemptFor(desired: DesiredApp, release: Release): boolean {
  const isEdited = release.generation !== desired.generation;
  return (
    matchesDesired(desired, release) &&
    (survivesEdit(release.outcome) || (release.outcome === 'failed' && !isEdited))
  );
}

function matchesDesired(desired: DesiredApp, { desiredHash }: Release): boolean {
  return desiredHash === desired.desiredHash || desiredHash === desired.previousDesiredHash;
}

/** After a server restart, the release that served before serves again before anything else is done. */
function adoptStep(input: PlanInput, last: Release): Step | undefined {
  const step = fallbackStep(input);
  if (step?.kind === 'check') return step;
  if (last.outcome !== 'live' || servingInstance(input) !== undefined) return undefined;
  const [instance] = runningOf(last, input);
  return instance && { kind: 'check', instance, release: last, role: 'newest' };
}

/** Instances that belong neither to the newest release nor to the one that serves are left over from an interrupted pass. */
function stopLeftoversStep(input: PlanInput, last: Release): Step | undefined {
  const serving = servingInstance(input);
  const mayRun = [
    ...(last.outcome === 'failed' || last.outcome === 'cancelled' ? [] : [last.number]),
    // Its exit is counted before it is removed.
    ...(serving === undefined ? [fallbackOf(input)?.number] : []),
  ];
  const leftovers = input.observed.instances.filter(
    (instance) => instance.id !== serving?.id && !mayRun.includes(instance.release),
  );
  return leftovers.length > 0 ? stopStep(input, leftovers) : undefined;
}

function attemptStep(input: PlanInput, last: Release): Step {
  const { desired, observed, retry, now } = input;
  if (last.outcome === 'failed') return { kind: 'failed', release: last, until: undefined };
  if (last.outcome === 'cancelled') {
    return observed.built.length > 0 ? { kind: 'prune', keep: [] } : { kind: 'cancelled' };
  }
  const [running] = runningOf(last, input);
  // An instance under a former name, in a former project, or of an earlier version serves until its replacement does.
  if (running !== undefined && isAsDesired(running, desired)) {
    return runningStep(input, last, running);
  }
  const exitedInstances = observed.instances.filter(
    (instance) => instance.release === last.number && !isRunning(instance),
  );
  const [exited] = exitedInstances;
  if (exited !== undefined && retry?.instanceId !== exited.id) {
    return { kind: 'crashed', instance: exited, release: last, role: 'newest' };
  }
  if (retry !== undefined && now < retry.at) return { kind: 'wait', until: retry.at };
  if (exited !== undefined) return stopStep(input, exitedInstances);
  return startStep(observed, last);
}

/** A build without a stored revision is requested again to get its revision: it exists, so this is fast. */
function startStep({ built }: ObservedApp, last: Release): Step {
  if (built.includes(last.number)) {
    if (last.revision === undefined) return { kind: 'build', release: last };
    return isReleaseCommandDue(last)
      ? { kind: 'command', release: last }
      : { kind: 'start', release: last, role: 'newest' };
  }
  return last.from !== undefined && built.includes(last.from)
    ? { kind: 'reuse', release: last, from: last.from }
    : { kind: 'build', release: last };
}

function runningStep(input: PlanInput, last: Release, running: Instance): Step {
  const { observed, servingId, live } = input;
  if (servingId !== running.id) {
    return { kind: 'check', instance: running, release: last, role: 'newest' };
  }
  const others = observed.instances.filter((instance) => instance.id !== running.id);
  if (others.length > 0) return stopStep(input, others);
  const keep = [...new Set([last, ...live].map(({ number }) => number))];
  return observed.built.every((number) => keep.includes(number))
    ? { kind: 'settled' }
    : { kind: 'prune', keep };
}

/** Instances that can stay come first. */
function runningOf({ number }: Release, { desired, observed }: PlanInput): Instance[] {
  const running = observed.instances.filter(
    (instance) => instance.release === number && isRunning(instance),
  );
  const named = running.filter((instance) => isAsDesired(instance, desired));
  return [...named, ...running.filter((instance) => !named.includes(instance))];
}
