import { isDeepStrictEqual } from 'node:util';
import type { Release } from '../../../src/apps/releases.ts';
import type { Address, ObservedApp } from '../../../src/engines/engine.ts';
import type { DesiredApp } from '../../../src/reconciler/desired.ts';
import { isAsDesired } from '../../../src/reconciler/plan-input.ts';
import type { Route } from '../../../src/reconciler/routing.ts';

type Settled = {
  desired: DesiredApp;
  observed: ObservedApp;
  route: { hosts: string[]; route: Route } | undefined;
  releases: Release[];
};

/** The release that should run: the newest one, or the one that served before a cancelled one. */
export function expectedRelease(desired: DesiredApp, releases: Release[]): Release | undefined {
  const last = releases.at(-1);
  return isCancelled(desired, last) ? releases.findLast(({ outcome }) => outcome === 'live') : last;
}

/** Whether the desired release was cancelled. */
export function isCancelled({ desiredHash }: DesiredApp, last: Release | undefined): boolean {
  return last?.outcome === 'cancelled' && last.desiredHash === desiredHash;
}

function portsOf(addresses: Address[]): number[] {
  return addresses.map(({ port }) => port).sort();
}

/** What is wrong with an app that was reported as settled. */
export function settledProblems({ desired, observed, route, releases }: Settled): string[] {
  const expected = expectedRelease(desired, releases);
  const { instances } = observed;
  const problems = (checks: [boolean, string][]) =>
    checks.filter(([isRight]) => !isRight).map(([, problem]) => problem);
  const hosts: [boolean, string] = [
    isDeepStrictEqual(route?.hosts, desired.hosts),
    'its hosts are not the desired ones',
  ];
  if (desired.instances === 0) {
    return problems([
      hosts,
      [instances.length === 0, 'it has an instance although it is hibernated'],
      [route?.route.kind === 'hibernated', `its route is ${route?.route.kind}`],
    ]);
  }
  const targets = route?.route.kind === 'live' ? route.route.targets : [];
  return problems([
    hosts,
    [instances.every(({ state }) => state.kind === 'running'), 'an instance is not running'],
    [
      instances.length === desired.replicas,
      `it has ${instances.length} of ${desired.replicas} instances`,
    ],
    [
      instances.every(({ release }) => release === expected?.number),
      'a release other than the newest one runs',
    ],
    [
      releases.at(-1)?.desiredHash === desired.desiredHash,
      'the release does not match the desired state',
    ],
    [expected?.outcome === 'live', `its release is ${expected?.outcome}`],
    [
      instances.every((instance) => isAsDesired(instance, desired)),
      'other apps cannot find it by its name',
    ],
    [
      isDeepStrictEqual(portsOf(targets), portsOf(instances.map(({ address }) => address))),
      'its route has other targets',
    ],
  ]);
}
