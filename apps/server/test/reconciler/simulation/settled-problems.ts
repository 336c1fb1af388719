import { isDeepStrictEqual } from 'node:util';
import type { Release } from '../../../src/apps/releases.ts';
import type { ObservedApp } from '../../../src/engines/engine.ts';
import type { DesiredApp } from '../../../src/reconciler/desired.ts';
import { isInPlace } from '../../../src/reconciler/situation.ts';
import type { Route } from '../../../src/reconciler/traffic.ts';

type Settled = {
  desired: DesiredApp;
  observed: ObservedApp;
  route: { hosts: string[]; route: Route } | undefined;
  last: Release | undefined;
};

/** What is not as it should be of an app that is said to be settled. */
export function settledProblems({ desired, observed, route, last }: Settled): string[] {
  const [instance, ...others] = observed.instances;
  const problems = (checks: [boolean, string][]) =>
    checks.filter(([isRight]) => !isRight).map(([, problem]) => problem);
  const hosts: [boolean, string] = [
    isDeepStrictEqual(route?.hosts, desired.hosts),
    'its hosts are not the wished ones',
  ];
  if (desired.instances === 0) {
    return problems([
      hosts,
      [instance === undefined, 'it has an instance though it sleeps'],
      [route?.route.kind === 'hibernated', `its route is ${route?.route.kind}`],
    ]);
  }
  const target = route?.route.kind === 'live' ? route.route.targets : [];
  return problems([
    hosts,
    [instance?.state.kind === 'running', 'it does not run'],
    [others.length === 0, 'it has more than one instance'],
    [instance?.release === last?.number, 'another release than the last one runs'],
    [last?.desiredHash === desired.desiredHash, 'another wish than the last one runs'],
    [last?.outcome === 'live', `its release is ${last?.outcome}`],
    [
      instance === undefined || isInPlace(instance, desired),
      'others do not find it under its name',
    ],
    [isDeepStrictEqual(target, [instance?.address]), 'its route leads elsewhere'],
  ]);
}
