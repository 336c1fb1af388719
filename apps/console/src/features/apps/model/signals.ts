import {
  type AppResource,
  isHibernated,
  NO_UPLOAD_YET,
  type ObservedState,
  type Release,
  replicasOf,
  servingNames,
} from '@longshore/contract';
import { PHASE_NAMES } from '../../../lib/phase-names.ts';
import { durationText } from '../../../lib/relative-time.ts';
import { MESSAGES } from '../messages.ts';

export type SignalTone = 'ok' | 'bad' | 'busy' | 'idle';

/** A verdict with a fact below it, and the time it is about. */
export type Signal = { verdict: string; tone: SignalTone; fact: string; at?: string | undefined };

const { health: HEALTH, lastDeployment: DEPLOYMENT } = MESSAGES.signals;

/** Whether the app serves, whatever became of its last deployment. Expects the newest release first. */
export function healthSignal(
  { status, values }: Pick<AppResource, 'status' | 'values'>,
  { serving, retry }: ObservedState,
  history: Release[],
): Signal {
  if (isHibernated(values)) {
    if (values.source.enabled && values.source.url === NO_UPLOAD_YET) {
      return { verdict: HEALTH.notYet, tone: 'idle', fact: HEALTH.waitsForUpload };
    }
    return { verdict: HEALTH.hibernated, tone: 'idle', fact: HEALTH.factOfSleep(!!values.sleep) };
  }
  const live = history.find(({ outcome }) => outcome === 'live');
  if (serving !== undefined) {
    const isNewest = serving.release === history[0]?.number;
    const isAlone = isNewest && status === 'synced';
    const release = history.find(({ number }) => number === serving.release);
    if (serving.health?.problem !== undefined) {
      return { verdict: HEALTH.unhealthy, tone: 'bad', fact: serving.health.problem };
    }
    const lacking = (serving.processes ?? [])
      .map(({ name, logNames, replicas }) => ({
        name,
        running: logNames.length,
        desired: replicas,
      }))
      .filter((process) => process.running < process.desired);
    if (lacking.length > 0 && isNewest && status === 'backoff') {
      return { verdict: HEALTH.processDown, tone: 'bad', fact: HEALTH.processes(lacking) };
    }
    const [running, desired] = [servingNames(serving).length, replicasOf(values)];
    const live = HEALTH.live(serving.release, serving.health?.check);
    return {
      verdict: isAlone ? HEALTH.serving : MESSAGES.servingRelease(serving.release),
      tone: running < desired ? 'busy' : 'ok',
      fact: desired === 1 ? live : HEALTH.instances(running, desired, live),
      at: release?.endedAt,
    };
  }
  if (status === 'synced') {
    return { verdict: HEALTH.serving, tone: 'ok', fact: HEALTH.answers, at: live?.endedAt };
  }
  if (status === 'backoff') {
    // The notice below says why.
    const verdict = retry?.kind === 'restart' ? HEALTH.crashing : HEALTH.down;
    return { verdict, tone: 'bad', fact: HEALTH.notServing };
  }
  return live === undefined
    ? { verdict: HEALTH.notYet, tone: 'idle', fact: HEALTH.firstDeployment }
    : { verdict: HEALTH.starting, tone: 'busy', fact: HEALTH.notServing };
}

/** Whether the last change succeeded, whatever serves now. */
export function deploymentSignal(
  { status, values }: Pick<AppResource, 'status' | 'values'>,
  newest: Release | undefined,
): Signal {
  if (newest === undefined) {
    return { verdict: DEPLOYMENT.none, tone: 'idle', fact: DEPLOYMENT.noneFact };
  }
  const { number, outcome, startedAt, endedAt } = newest;
  const fact = factOf(newest);
  switch (outcome) {
    case 'live':
      return { verdict: DEPLOYMENT.live(number), tone: 'ok', fact, at: endedAt };
    case 'failed':
      return { verdict: DEPLOYMENT.failed(number), tone: 'bad', fact, at: endedAt };
    case 'cancelled':
      return { verdict: DEPLOYMENT.cancelled(number), tone: 'idle', fact, at: endedAt };
    case 'superseded':
      return { verdict: DEPLOYMENT.superseded(number), tone: 'idle', fact, at: endedAt };
    case undefined:
      if (isHibernated(values)) {
        return { verdict: DEPLOYMENT.paused(number), tone: 'idle', fact: DEPLOYMENT.pausedFact };
      }
      return status === 'backoff'
        ? { verdict: DEPLOYMENT.retrying(number), tone: 'bad', fact, at: startedAt }
        : { verdict: DEPLOYMENT.running(number), tone: 'busy', fact, at: startedAt };
  }
}

function factOf({ outcome, phases, startedAt, endedAt }: Release): string {
  if (endedAt === undefined) return DEPLOYMENT.started;
  const took = durationText(Date.parse(endedAt) - Date.parse(startedAt));
  if (outcome === 'live') return DEPLOYMENT.took(took);
  const phase = phases.at(-1)?.phase;
  return phase === undefined ? DEPLOYMENT.after(took) : DEPLOYMENT.at(PHASE_NAMES[phase], took);
}
