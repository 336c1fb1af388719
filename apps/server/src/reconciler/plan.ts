import { canReuseBuild, survivesEdit } from '@longshore/contract';
import type { Release } from '../apps/releases.ts';
import type { Instance, ObservedApp } from '../engines/engine.ts';
import type { DesiredApp } from './desired.ts';
import { fallbackOf, fallbackStep, meanwhile } from './fallback.ts';
import { isInPlace, isRunning, type Situation, servingInstance } from './situation.ts';
import type { Step } from './step.ts';

export function nextStep(situation: Situation): Step {
  const { desired, observed } = situation;
  if (desired.isDeleted) return { kind: 'remove' };
  if (desired.instances === 0) return pauseStep(situation) ?? sleepStep(observed);
  return meanwhile(situation, pauseStep(situation) ?? wakeStep(situation));
}

/** A step that failed is not taken again before its pause is over. A crash holds up its own release only. */
function pauseStep({ retry, now }: Situation): Step | undefined {
  const isAboutStep = retry !== undefined && retry.instanceId === undefined;
  return isAboutStep && now < retry.at ? { kind: 'wait', until: retry.at } : undefined;
}

function sleepStep({ instances }: ObservedApp): Step {
  return instances.length > 0 ? { kind: 'stop', instances } : { kind: 'settled' };
}

function wakeStep(situation: Situation): Step {
  const { desired, observed, last, live } = situation;
  if (last !== undefined && isAttemptAt(desired, last)) {
    return adoptStep(situation, last) ?? strayStep(situation, last) ?? attemptStep(situation, last);
  }
  const from = live.find(
    (release) => observed.built.includes(release.number) && canReuseBuild(desired.values, release),
  );
  return { kind: 'release', from };
}

function isAttemptAt(desired: DesiredApp, release: Release): boolean {
  const isWished =
    release.desiredHash === desired.desiredHash ||
    release.desiredHash === desired.previousDesiredHash;
  const isEdited = release.generation !== desired.generation;
  return isWished && (survivesEdit(release.outcome) || (release.outcome === 'failed' && !isEdited));
}

/** After a restart of ours, what served before serves again before anything else is done. */
function adoptStep(situation: Situation, last: Release): Step | undefined {
  const step = fallbackStep(situation);
  if (step?.kind === 'check') return step;
  if (last.outcome !== 'live' || servingInstance(situation) !== undefined) return undefined;
  const [instance] = runningOf(last, situation);
  return instance && { kind: 'check', instance, release: last, role: 'newest' };
}

/** What belongs neither to the release under way nor to the one that serves is left over from an interrupted pass. */
function strayStep(situation: Situation, last: Release): Step | undefined {
  const serving = servingInstance(situation);
  const mayRun = [
    ...(last.outcome === 'failed' ? [] : [last.number]),
    // How it ended is counted before it is cleared away.
    ...(serving === undefined ? [fallbackOf(situation)?.number] : []),
  ];
  const strays = situation.observed.instances.filter(
    (instance) => instance.id !== serving?.id && !mayRun.includes(instance.release),
  );
  return strays.length > 0 ? { kind: 'stop', instances: strays } : undefined;
}

function attemptStep(situation: Situation, last: Release): Step {
  const { desired, observed, retry, now } = situation;
  if (last.outcome === 'failed') return { kind: 'failed', release: last, until: undefined };
  const [running] = runningOf(last, situation);
  // One that is still known by another name, or in another project, serves until one in its place does.
  if (running !== undefined && isInPlace(running, desired)) {
    return runningStep(situation, last, running);
  }
  const ended = observed.instances.filter(
    (instance) => instance.release === last.number && !isRunning(instance),
  );
  const exited = ended[0];
  if (exited !== undefined && retry?.instanceId !== exited.id) {
    return { kind: 'crashed', instance: exited, release: last, role: 'newest' };
  }
  if (retry !== undefined && now < retry.at) return { kind: 'wait', until: retry.at };
  if (exited !== undefined) return { kind: 'stop', instances: ended };
  return startStep(observed, last);
}

/** A build whose revision nobody noted is asked for again: it is there, so that takes no time. */
function startStep({ built }: ObservedApp, last: Release): Step {
  if (built.includes(last.number)) {
    return last.revision === undefined
      ? { kind: 'build', release: last }
      : { kind: 'start', release: last, role: 'newest' };
  }
  return last.from !== undefined && built.includes(last.from)
    ? { kind: 'reuse', release: last, from: last.from }
    : { kind: 'build', release: last };
}

function runningStep(situation: Situation, last: Release, running: Instance): Step {
  const { observed, serving, live } = situation;
  if (serving !== running.id) {
    return { kind: 'check', instance: running, release: last, role: 'newest' };
  }
  const others = observed.instances.filter((instance) => instance.id !== running.id);
  if (others.length > 0) return { kind: 'stop', instances: others };
  const keep = [...new Set([last, ...live].map(({ number }) => number))];
  return observed.built.every((number) => keep.includes(number))
    ? { kind: 'settled' }
    : { kind: 'prune', keep };
}

/** Those that are where they should be come first. */
function runningOf({ number }: Release, { desired, observed }: Situation): Instance[] {
  const running = observed.instances.filter(
    (instance) => instance.release === number && isRunning(instance),
  );
  const inPlace = running.filter((instance) => isInPlace(instance, desired));
  return [...inPlace, ...running.filter((instance) => !inPlace.includes(instance))];
}
