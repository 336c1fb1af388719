import { hasSameNetworkName } from '@longshore/contract';
import type { Release } from '../apps/releases.ts';
import type { Instance, ObservedApp } from '../engines/engine.ts';
import type { DesiredApp } from './desired.ts';

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
  now: number;
};

/** `instanceId`: the exited instance that the wait is about, if there is one. */
export type Retry = { at: number; instanceId: string | undefined };

/** The instance that receives the traffic, if it is still running. */
export function servingInstance({ observed, servingId }: PlanInput): Instance | undefined {
  return observed.instances.find((instance) => instance.id === servingId && isRunning(instance));
}

/**
 * Whether the instance can stay: other apps find it in its project and under its name, it is not outdated, and its owner did not
 * ask for another one.
 */
export function isAsDesired(
  { networkAlias, isOutdated, logName }: Instance,
  { spec, replacedInstance }: DesiredApp,
): boolean {
  if (isOutdated === true || logName === replacedInstance) return false;
  return networkAlias === undefined || hasSameNetworkName(networkAlias, spec);
}

export function isRunning(instance: Instance): boolean {
  return instance.state.kind === 'running';
}
