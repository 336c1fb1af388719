import { healthCheckText, type ServingHealth } from '@longshore/contract';
import type { Release } from '../../apps/releases.ts';
import type { Instance } from '../../engines/engine.ts';
import type { PlanInput } from '../plan-input.ts';
import type { AppHealth, WatchedInstance } from './health-monitor.ts';
import type { ProbeTarget } from './probe.ts';

/** Undefined: the release has no health check. */
export function probeTarget(
  { address }: Pick<Instance, 'address'>,
  { values }: Release,
  [host = 'localhost']: string[],
): ProbeTarget | undefined {
  const { healthCheck: check } = values;
  return check && { address, check, host };
}

/** Those of the serving instances whose release has a health check. */
export function watchedInstances(
  { desired, last, live }: Pick<PlanInput, 'desired' | 'last' | 'live'>,
  serving: Instance[],
): WatchedInstance[] {
  return serving.flatMap((instance) => {
    const { logName, release: number } = instance;
    const release = [last, ...live].find((each) => each?.number === number);
    const target = release && probeTarget(instance, release, desired.hosts);
    return target === undefined ? [] : [{ ...target, logName, release: number }];
  });
}

/** Undefined: nothing is checked. */
export function servingHealth(
  [watched]: WatchedInstance[],
  { problem }: AppHealth,
): ServingHealth | undefined {
  if (watched === undefined) return undefined;
  const check = healthCheckText(watched.check);
  return problem === undefined ? { check } : { check, problem };
}
