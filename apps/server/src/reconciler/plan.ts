import { canReuseBuild, keepsBuild, survivesEdit } from '@longshore/contract';
import type { Release } from '../apps/releases.ts';
import type { Instance, ObservedApp } from '../engines/engine.ts';
import type { DesiredApp } from './desired.ts';
import { fallbackOf, fallbackStep, preferFallback } from './fallback.ts';
import {
  isAsDesired,
  isInRotation,
  type PlanInput,
  pausedStep,
  servingInstances,
} from './plan-input.ts';
import { webOnly, withProcesses } from './processes/process-plan.ts';
import {
  inheritedCommand,
  isReleaseCommandDue,
  isReleaseCommandFailure,
} from './release-command.ts';
import { adoptedStep, scaleStep, stayingInstances } from './scale.ts';
import type { Step, StepOf } from './step.ts';

export function nextStep(input: PlanInput): Step {
  const { isDeleted, instances } = input.desired;
  if (isDeleted || instances === 0) return webStep(input);
  return withProcesses(input, webStep(webOnly(input)));
}

function webStep(input: PlanInput): Step {
  const { desired } = input;
  if (desired.isDeleted) return { kind: 'remove' };
  if (desired.instances === 0) return pausedStep(hibernateStep(input), input);
  const release = releaseToRun(input);
  const current = { ...input, last: release ?? input.last };
  const rollBack = rollBackStep(current);
  if (rollBack !== undefined) return rollBack;
  const step = release === undefined ? releaseStep(input) : runStep(current, release);
  return preferFallback(current, pausedStep(step, input));
}

/** Undefined: a new release is needed. After a cancelled release, the one that served before it stays. */
function releaseToRun({ desired, last, live }: PlanInput): Release | undefined {
  if (last === undefined || !isAttemptFor(desired, last, live)) return undefined;
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
    servingInstances(input).some(({ release }) => release === last.number);
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

/**
 * Any edit is a new attempt after a failure. After a rollback or a failed release command, waking, scaling or a new name are not:
 * the release would fail again, and a visit that wakes the app must not run the command.
 */
function isAttemptFor(desired: DesiredApp, release: Release, live: Release[]): boolean {
  const isRolledBack = release.reason === 'release-unhealthy' && live.length > 0;
  const isFinal = isRolledBack || isReleaseCommandFailure(release);
  const isEdited = release.generation !== desired.generation && !isFinal;
  return (
    matchesDesired(desired, release) &&
    (survivesEdit(release.outcome) || (release.outcome === 'failed' && !isEdited))
  );
}

export function matchesDesired(desired: DesiredApp, { desiredHash }: Release): boolean {
  return desiredHash === desired.desiredHash || desiredHash === desired.previousDesiredHash;
}

/** After a server restart, the release that served before serves again before anything else is done. */
function adoptStep(input: PlanInput, last: Release): Step | undefined {
  if (servingInstances(input).length > 0) return undefined;
  const fallback = fallbackStep(input);
  const isCheck = fallback?.kind === 'check' || fallback?.kind === 'checking';
  return isCheck ? fallback : adoptedStep(input, last, 'newest');
}

/** Instances that belong neither to the newest release nor to the fallback are left over from an interrupted pass. */
function stopLeftoversStep(input: PlanInput, last: Release): Step | undefined {
  const mayRun = [
    ...(last.outcome === 'failed' || last.outcome === 'cancelled' ? [] : [last.number]),
    fallbackOf(input)?.number,
  ];
  const leftovers = input.observed.instances.filter(
    (instance) => !isInRotation(instance, input) && !mayRun.includes(instance.release),
  );
  return leftovers.length > 0 ? stopStep(input, leftovers) : undefined;
}

function attemptStep(input: PlanInput, last: Release): Step {
  const { desired, observed } = input;
  if (last.outcome === 'failed') return { kind: 'failed', release: last, until: undefined };
  if (last.outcome === 'cancelled') {
    return observed.built.length > 0 ? { kind: 'prune', keep: [] } : { kind: 'cancelled' };
  }
  // An instance under a former name, in a former project, or of an earlier version serves until its replacement does.
  const canStay = (instance: Instance) => isAsDesired(instance, desired);
  const scaled = { release: last, role: 'newest', canStay } as const;
  const step = scaleStep(input, scaled);
  if (step?.kind === 'start') return startStep(observed, step);
  return step ?? settleStep(input, last, stayingInstances(input, scaled));
}

/** A build without a stored revision is requested again to get its revision: it exists, so this is fast. */
function startStep({ built }: ObservedApp, start: StepOf<'start'>): Step {
  const { release } = start;
  if (built.includes(release.number)) {
    if (release.revision === undefined) return { kind: 'build', release, role: 'newest' };
    return isReleaseCommandDue(release) ? { kind: 'command', release } : start;
  }
  return release.from !== undefined && built.includes(release.from)
    ? { kind: 'reuse', release, from: release.from }
    : { kind: 'build', release, role: 'newest' };
}

/** `serving`: all instances that the app needs. */
function settleStep(input: PlanInput, last: Release, serving: Instance[]): Step {
  const { observed, live } = input;
  const others = observed.instances.filter((instance) => !serving.includes(instance));
  if (others.length > 0) return stopStep(input, others);
  const keep = [...new Set([last, ...live].map(({ number }) => number))];
  return observed.built.every((number) => keep.includes(number))
    ? { kind: 'settled' }
    : { kind: 'prune', keep };
}
