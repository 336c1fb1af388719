import type { Instance, ObservedApp } from '../engines/engine.ts';
import type { DesiredApp } from './desired.ts';
import type { Release } from './release.ts';

/** Everything a decision needs. Nothing in it is a guess: it was read a moment ago. */
export type Situation = {
  desired: DesiredApp;
  observed: ObservedApp;
  /** The newest release, and the newest one that ever served. */
  last: Release | undefined;
  lastLive: Release | undefined;
  /** Id of the instance that gets the traffic. */
  serving: string | undefined;
  /** When a failure may be tried again; the exited instance it is about, if it is about one. */
  retry: { at: number; instanceId: string | undefined } | undefined;
  now: number;
};

/** The next step towards the wish, or the conclusion that there is none to take now. */
export type Step =
  | { kind: 'remove' }
  | { kind: 'stop'; instances: Instance[] }
  | { kind: 'release' }
  | { kind: 'build'; release: Release }
  | { kind: 'start'; release: Release }
  | { kind: 'check'; instance: Instance; release: Release }
  | { kind: 'crashed'; instance: Instance; release: Release }
  | { kind: 'prune'; keep: number[] }
  | { kind: 'settled' }
  | { kind: 'failed'; release: Release }
  | { kind: 'wait'; until: number };

export function nextStep(situation: Situation): Step {
  const { desired, observed, last } = situation;
  if (desired.isDeleted) return { kind: 'remove' };
  const pause = pauseStep(situation);
  if (pause !== undefined) return pause;
  if (desired.instances === 0) return sleepStep(observed);
  if (last === undefined || !isAttemptAt(desired, last)) return { kind: 'release' };
  return adoptStep(situation) ?? strayStep(situation, last) ?? releaseStep(situation, last);
}

/** The instance traffic goes to, if it still runs. */
export function servingInstance({ observed, serving }: Situation): Instance | undefined {
  return observed.instances.find((instance) => instance.id === serving && isRunning(instance));
}

/** A step that failed is not taken again before its pause is over. A crash holds up its own release only. */
function pauseStep({ retry, now }: Situation): Step | undefined {
  const isAboutStep = retry !== undefined && retry.instanceId === undefined;
  return isAboutStep && now < retry.at ? { kind: 'wait', until: retry.at } : undefined;
}

function sleepStep({ instances }: ObservedApp): Step {
  return instances.length > 0 ? { kind: 'stop', instances } : { kind: 'settled' };
}

/** A failed release stands until the next edit of any kind, so that saving again tries again. */
function isAttemptAt(desired: DesiredApp, release: Release): boolean {
  if (release.wish !== desired.wish || release.outcome === 'superseded') return false;
  return release.outcome !== 'failed' || release.generation === desired.generation;
}

/** After a restart of ours, what served before serves again before anything else is done. */
function adoptStep(situation: Situation): Step | undefined {
  const { observed, lastLive } = situation;
  if (lastLive === undefined || servingInstance(situation) !== undefined) return undefined;
  const instance = observed.instances.find(
    (each) => each.release === lastLive.number && isRunning(each),
  );
  return instance && { kind: 'check', instance, release: lastLive };
}

/** What belongs neither to the release under way nor to the one that serves is left over from an interrupted pass. */
function strayStep(situation: Situation, last: Release): Step | undefined {
  const isFailed = last.outcome === 'failed';
  const strays = situation.observed.instances.filter(
    (instance) =>
      instance.id !== servingInstance(situation)?.id &&
      (isFailed || instance.release !== last.number),
  );
  return strays.length > 0 ? { kind: 'stop', instances: strays } : undefined;
}

function releaseStep(situation: Situation, last: Release): Step {
  const { observed, retry, now } = situation;
  if (last.outcome === 'failed') return { kind: 'failed', release: last };
  const own = observed.instances.filter((instance) => instance.release === last.number);
  const running = own.find(isRunning);
  if (running !== undefined) return runningStep(situation, last, running);
  const exited = own[0];
  if (exited !== undefined && retry?.instanceId !== exited.id) {
    return { kind: 'crashed', instance: exited, release: last };
  }
  if (retry !== undefined && now < retry.at) return { kind: 'wait', until: retry.at };
  if (exited !== undefined) return { kind: 'stop', instances: own };
  return observed.built.includes(last.number)
    ? { kind: 'start', release: last }
    : { kind: 'build', release: last };
}

function runningStep(situation: Situation, last: Release, running: Instance): Step {
  const { observed, serving, lastLive } = situation;
  if (serving !== running.id) return { kind: 'check', instance: running, release: last };
  const others = observed.instances.filter((instance) => instance.id !== running.id);
  if (others.length > 0) return { kind: 'stop', instances: others };
  const keep = [...new Set([last.number, lastLive?.number ?? last.number])];
  return observed.built.every((number) => keep.includes(number))
    ? { kind: 'settled' }
    : { kind: 'prune', keep };
}

function isRunning(instance: Instance): boolean {
  return instance.state.kind === 'running';
}
