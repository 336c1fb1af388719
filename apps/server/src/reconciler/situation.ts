import { hasSameNetworkName } from '@longshore/contract';
import type { Release } from '../apps/releases.ts';
import type { Instance, ObservedApp } from '../engines/engine.ts';
import type { DesiredApp } from './desired.ts';

/** Everything a decision needs. Nothing in it is a guess: it was read a moment ago. */
export type Situation = {
  desired: DesiredApp;
  observed: ObservedApp;
  /** The newest release, and the newest ones that ever served, as many as are kept, newest first. */
  last: Release | undefined;
  live: Release[];
  /** Id of the instance that gets the traffic. */
  serving: string | undefined;
  /** When the newest release may be tried again after a failure. */
  retry: Retry | undefined;
  /** The same of the release that serves until the newest one does. */
  fallbackRetry: Retry | undefined;
  now: number;
};

/** `instanceId`: the exited instance the wait is about, if it is about one. */
export type Retry = { at: number; instanceId: string | undefined };

/** The instance traffic goes to, if it still runs. */
export function servingInstance({ observed, serving }: Situation): Instance | undefined {
  return observed.instances.find((instance) => instance.id === serving && isRunning(instance));
}

/** Whether the other apps of the project find it where they look for it. */
export function isInPlace({ networkAlias }: Instance, { spec }: DesiredApp): boolean {
  return networkAlias === undefined || hasSameNetworkName(networkAlias, spec);
}

export function isRunning(instance: Instance): boolean {
  return instance.state.kind === 'running';
}
