import type { Release } from '../apps/releases.ts';
import { isRunning, type Situation, servingInstance } from './situation.ts';
import type { Step } from './step.ts';

/** The release that served last, when the newest one is another: it serves until that one does. */
export function fallbackOf({ last, live }: Situation): Release | undefined {
  const [lastLive] = live;
  return lastLive?.number === last?.number ? undefined : lastLive;
}

/** What brings the fallback up again, if nothing serves. Its crashes never hold up the newest release. */
export function fallbackStep(situation: Situation): Step | undefined {
  const { observed, fallbackRetry: retry, now } = situation;
  const release = fallbackOf(situation);
  if (release === undefined || servingInstance(situation) !== undefined) return undefined;
  const about = { release, role: 'fallback' } as const;
  const own = observed.instances.filter((instance) => instance.release === release.number);
  const running = own.find(isRunning);
  const exited = running === undefined ? own[0] : undefined;
  if (exited !== undefined && retry?.instanceId !== exited.id) {
    return { kind: 'crashed', instance: exited, ...about };
  }
  if (retry !== undefined && now < retry.at) return { kind: 'wait', until: retry.at };
  if (running !== undefined) return { kind: 'check', instance: running, ...about };
  return observed.built.includes(release.number) ? { kind: 'start', ...about } : undefined;
}

/** While the newest release is built or waited for, or has failed, the one before it is kept up. */
export function meanwhile(situation: Situation, step: Step): Step {
  if (step.kind !== 'build' && step.kind !== 'wait' && step.kind !== 'failed') return step;
  const other = fallbackStep(situation);
  if (other === undefined) return step;
  if (other.kind !== 'wait') return other;
  if (step.kind === 'build') return step;
  return { ...step, until: Math.min(other.until, step.until ?? other.until) };
}
