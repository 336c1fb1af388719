import { hasSameNetworkName } from '@longshore/contract';
import type { Release } from '../apps/releases.ts';
import type { Instance, ObservedApp } from '../engines/engine.ts';
import type { DesiredApp } from './desired.ts';
import type { UnhealthyRelease } from './health/health-rules.ts';

/** Everything the plan depends on, read immediately before. */
export type PlanInput = {
  desired: DesiredApp;
  observed: ObservedApp;
  /** The newest release, and the newest ones that served, as many as are stored, newest first. */
  last: Release | undefined;
  live: Release[];
  /** A redeploy was requested since the newest release was created. Branches and tags are read again. */
  isRedeployed: boolean;
  /** Id of the instance that receives the traffic. */
  servingId: string | undefined;
  /** When the newest release may be retried after a failure. */
  retry: Retry | undefined;
  /** When the fallback, the release that serves until the newest one does, may be retried. */
  fallbackRetry: Retry | undefined;
  /** The newest release, if it became unhealthy soon after it got the traffic. */
  unhealthyRelease: UnhealthyRelease | undefined;
  now: number;
};

/** `instanceId`: the exited instance that the wait is about, if there is one. */
export type Retry = { at: number; instanceId: string | undefined };

/** The instance that receives the traffic, if it is still running. */
export function servingInstance({ observed, servingId }: PlanInput): Instance | undefined {
  return observed.instances.find((instance) => instance.id === servingId && isRunning(instance));
}

/**
 * Whether the instance can stay: other apps find it in its project and under its name, it is neither outdated nor unhealthy, and
 * its owner did not ask for another one.
 */
export function isAsDesired(
  { networkAlias, isOutdated, logName }: Instance,
  { spec, replacedInstance, unhealthyInstances }: DesiredApp,
): boolean {
  if (isOutdated === true || logName === replacedInstance) return false;
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
