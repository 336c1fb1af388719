import { hasSameNetworkName } from '@longshore/contract';
import type { Release } from '../apps/releases.ts';
import type { Instance, ObservedApp } from '../engines/engine.ts';
import type { DesiredApp } from './desired.ts';
import type { UnhealthyRelease } from './health/health-rules.ts';
import type { Role, Step } from './step.ts';

/** Everything the plan depends on, read immediately before. */
export type PlanInput = {
  desired: DesiredApp;
  observed: ObservedApp;
  /** The newest release, and the newest ones that served, as many as are stored, newest first. */
  last: Release | undefined;
  live: Release[];
  /** A redeploy was requested since the newest release was created. Branches and tags are read again. */
  isRedeployed: boolean;
  /** The runs that answered their check and receive the traffic, by `runOf`. */
  rotation: ReadonlySet<string>;
  /** The runs that have received traffic, or run another process than `web`, also those that have exited since. */
  answered: ReadonlySet<string>;
  /** The runs that are being checked, to join the rotation. */
  checking: ReadonlySet<string>;
  /** When the newest release may be retried after a failure. */
  retry: Retry | undefined;
  /** When the fallback, the release that serves until the newest one does, may be retried. */
  fallbackRetry: Retry | undefined;
  /** When serving instances that could not be protected may be. Other steps do not wait for it. */
  protectAt: number | undefined;
  /** The failures of processes other than `web`, by their name. */
  processRetries: ReadonlyMap<string, ProcessRetry>;
  /** Log names of serving instances that have passed their last health check. */
  passingInstances: string[];
  /** The newest release, if it became unhealthy soon after it got the traffic. */
  unhealthyRelease: UnhealthyRelease | undefined;
  now: number;
};

/** What is known of the failures of a release. */
export type Retry = {
  /** When steps that failed may be repeated, by their kind. */
  repeatAt: ReadonlyMap<Step['kind'], number>;
  /** When each run that has exited or did not answer may be replaced. An exit that is missing was not counted yet. */
  replaceAt: ReadonlyMap<string, number>;
  /** How many instances could not be started while others serve, and when that is tried again. */
  unstarted: { count: number; until: number } | undefined;
};

/** What is known of the failures of a process other than `web`. */
export type ProcessRetry = {
  /** The number of the release that failed. Another one is not delayed. */
  release: number;
  /** An instance could not be started, and is not started before. */
  startAt: number | undefined;
  /** When each run that has exited may be replaced. The exit of a run that is missing was not counted yet. */
  replaceAt: ReadonlyMap<string, number>;
  /** The process counts as failing until then, so that the status of the app does not flicker. */
  failingUntil: number;
};

export function retryOf(
  { retry, fallbackRetry }: Pick<PlanInput, 'retry' | 'fallbackRetry'>,
  role: Role,
): Retry | undefined {
  return role === 'newest' ? retry : fallbackRetry;
}

/** A failed step is not repeated before its pause is over. Other steps are not delayed by it. */
export function pausedStep(step: Step, input: PlanInput): Step {
  const role = 'role' in step ? step.role : 'newest';
  const until = retryOf(input, role)?.repeatAt.get(step.kind);
  return until !== undefined && input.now < until ? { kind: 'wait', until } : step;
}

/** A container that restarts is the same instance, and another run: it has to answer again before it gets traffic. */
export function runOf({ id, startedAt }: Pick<Instance, 'id' | 'startedAt'>): string {
  return `${id}@${startedAt.getTime()}`;
}

/** Whether an instance receives traffic: it has answered its check, and still runs. The only place that decides this. */
export function isInRotation(
  instance: Instance,
  { rotation }: Pick<PlanInput, 'rotation'>,
): boolean {
  return isRunning(instance) && rotation.has(runOf(instance));
}

/** The instances that receive the traffic, all of one release. */
export function servingInstances(input: Pick<PlanInput, 'observed' | 'rotation'>): Instance[] {
  return input.observed.instances.filter((instance) => isInRotation(instance, input));
}

/**
 * Whether the instance can stay: other apps find it in its project and under its name, it is neither outdated nor unhealthy, and
 * its owner did not ask for another one.
 */
export function isAsDesired(
  { networkAlias, isOutdated, logName }: Instance,
  {
    spec,
    replacedInstances,
    unhealthyInstances,
  }: Pick<DesiredApp, 'spec' | 'replacedInstances' | 'unhealthyInstances'>,
): boolean {
  if (isOutdated === true || replacedInstances.includes(logName)) return false;
  if (unhealthyInstances.includes(logName)) return false;
  return networkAlias === undefined || hasSameNetworkName(networkAlias, spec);
}

/**
 * Whether an instance serves only until another one does: it was started by an earlier version, fails its health check, or is of
 * a release that was rolled back.
 */
export function isStopgap(
  { isOutdated, logName, release }: Instance,
  { desired, last }: Pick<PlanInput, 'desired' | 'last'>,
): boolean {
  const isRolledBack = last?.number === release && last.outcome === 'failed';
  return isOutdated === true || isRolledBack || desired.unhealthyInstances.includes(logName);
}

export function isRunning(instance: Instance): boolean {
  return instance.state.kind === 'running';
}
