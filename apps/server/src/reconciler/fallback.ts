import type { Release } from '../apps/releases.ts';
import type { Instance } from '../engines/engine.ts';
import { isStopgap, type PlanInput, pausedStep, servingInstances } from './plan-input.ts';
import { type ScaledRelease, scaleStep, stayingInstances } from './scale.ts';
import type { Step } from './step.ts';

/** A build takes minutes. The newest release waits that long only after many failures in a row. */
const MIN_WAIT_TO_BUILD_MS = 120_000;

/** The last release that served, if it is not the newest one. It serves until the newest one does. */
export function fallbackOf({ last, live }: PlanInput): Release | undefined {
  const [lastLive] = live;
  return lastLive?.number === last?.number ? undefined : lastLive;
}

/**
 * The next step to get the instances of the fallback into rotation, unless the newest release serves. Its crashes never delay the
 * newest release.
 */
export function fallbackStep(input: PlanInput): Step | undefined {
  const step = unpausedStep(input);
  return step === undefined || isLost(step, input) ? undefined : pausedStep(step, input);
}

/** The engine may have lost the build, or be another one than before. */
function rebuildStep(input: PlanInput): Step | undefined {
  const step = unpausedStep(input);
  if (step?.kind !== 'start' || !isLost(step, input)) return undefined;
  return pausedStep({ kind: 'build', release: step.release, role: 'fallback' }, input);
}

function unpausedStep(input: PlanInput): Step | undefined {
  const release = fallbackOf(input);
  if (release === undefined) return undefined;
  const isOther = (serving: Instance) => serving.release !== release.number;
  if (servingInstances(input).some((each) => isOther(each) && !isStopgap(each, input)))
    return undefined;
  const canStay = (instance: Instance) => !isStopgap(instance, input);
  const scaled = { release, role: 'fallback', canStay } as const;
  return scaleStep(input, scaled) ?? stopOthersStep(input, scaled);
}

function isLost(step: Step, { observed }: PlanInput): boolean {
  return step.kind === 'start' && !observed.built.includes(step.release.number);
}

/** All of its instances serve: what is left are outdated or unhealthy ones, and more than are desired. */
function stopOthersStep(input: PlanInput, scaled: ScaledRelease): Step | undefined {
  const staying = stayingInstances(input, scaled);
  const instances = input.observed.instances.filter(
    (instance) => instance.release === scaled.release.number && !staying.includes(instance),
  );
  return instances.length === 0 ? undefined : { kind: 'stop', instances, progress: undefined };
}

/**
 * The step of the fallback goes first while the newest release has to be built or to run its command, waits or has failed. It is built
 * again only if the newest one has failed, or waits long enough.
 */
export function preferFallback(input: PlanInput, step: Step): Step {
  const isWork = step.kind === 'build' || step.kind === 'command';
  if (!isWork && step.kind !== 'wait' && step.kind !== 'failed') return step;
  const fallback =
    fallbackStep(input) ?? (canRebuild(input, step) ? rebuildStep(input) : undefined);
  if (fallback === undefined || fallback.kind === 'checking') return step;
  if (fallback.kind !== 'wait') return fallback;
  if (isWork) return step;
  return { ...step, until: Math.min(fallback.until, step.until ?? fallback.until) };
}

function canRebuild({ now }: PlanInput, newest: Step): boolean {
  if (newest.kind === 'wait') return newest.until - now >= MIN_WAIT_TO_BUILD_MS;
  return newest.kind === 'failed';
}
