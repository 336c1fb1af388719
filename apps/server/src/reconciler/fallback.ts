import type { Release } from '../apps/releases.ts';
import { isRunning, isStopgap, type PlanInput, servingInstance } from './plan-input.ts';
import type { Step } from './step.ts';

/** The last release that served, if it is not the newest one. It serves until the newest one does. */
export function fallbackOf({ last, live }: PlanInput): Release | undefined {
  const [lastLive] = live;
  return lastLive?.number === last?.number ? undefined : lastLive;
}

/**
 * The next step to get the fallback running, if nothing serves or if the instance that serves is outdated. Its crashes never
 * delay the newest release.
 */
export function fallbackStep(input: PlanInput): Step | undefined {
  const { observed, fallbackRetry: retry, now } = input;
  const release = fallbackOf(input);
  const serving = servingInstance(input);
  if (release === undefined || (serving !== undefined && !isStopgap(serving, input))) {
    return undefined;
  }
  const subject = { release, role: 'fallback' } as const;
  const instances = observed.instances.filter(
    (instance) => instance.release === release.number && instance.id !== serving?.id,
  );
  const running = instances.find(isRunning);
  const exited = running === undefined ? instances[0] : undefined;
  if (exited !== undefined && retry?.instanceId !== exited.id) {
    return { kind: 'crashed', instance: exited, ...subject };
  }
  if (retry !== undefined && now < retry.at) return { kind: 'wait', until: retry.at };
  if (running !== undefined) return { kind: 'check', instance: running, ...subject };
  return observed.built.includes(release.number) ? { kind: 'start', ...subject } : undefined;
}

/** The step of the fallback goes first while the newest release has to be built or to run its command, waits or has failed. */
export function preferFallback(input: PlanInput, step: Step): Step {
  const isWork = step.kind === 'build' || step.kind === 'command';
  if (!isWork && step.kind !== 'wait' && step.kind !== 'failed') return step;
  const fallback = fallbackStep(input);
  if (fallback === undefined) return step;
  if (fallback.kind !== 'wait') return fallback;
  if (isWork) return step;
  return { ...step, until: Math.min(fallback.until, step.until ?? fallback.until) };
}
