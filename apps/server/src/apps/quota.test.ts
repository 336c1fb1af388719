import { describe, expect, it } from 'vitest';
import { TIERS } from '../../test/tiers.ts';
import {
  type AppsUse,
  diskProblem,
  growthOf,
  isGrowth,
  NO_LIMITS,
  NO_OVERRIDE,
  type Quota,
  quotaOf,
  quotaProblem,
} from './quota.ts';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

const tier = (resourceTier: string) => ({ deleted: false, values: { instances: 1, resourceTier } });
const awake = { deleted: false, values: { instances: 1 } };
const hibernated = { deleted: false, values: { instances: 0, resourceTier: 't4' } };
const deleted = { deleted: true, values: { instances: 1 } };
const old = { deleted: false, values: 'anything' };

const NOTHING = { apps: 0, memoryBytes: 0, cpus: 0 };
const T1 = { memoryBytes: 512 * MIB, cpus: 0.5 };

describe('growthOf', () => {
  it.each([
    ['a new app', undefined, awake, { apps: 1, ...T1 }],
    ['a new large app', undefined, tier('t4'), { apps: 1, memoryBytes: 4 * GIB, cpus: 2 }],
    ['a new hibernated app', undefined, hibernated, { ...NOTHING, apps: 1 }],
    ['waking', hibernated, tier('t4'), { apps: 0, memoryBytes: 4 * GIB, cpus: 2 }],
    ['hibernating', awake, hibernated, NOTHING],
    ['an edit', awake, awake, NOTHING],
    ['an edit of an app with old values', old, awake, NOTHING],
    ['a larger size', awake, tier('t2'), { apps: 0, memoryBytes: GIB, cpus: 1 }],
    ['more memory', tier('t2'), tier('t3'), { apps: 0, memoryBytes: 2 * GIB, cpus: 0 }],
    ['a smaller size', tier('t3'), tier('t2'), NOTHING],
    ['a size that does not exist any more', tier('t1'), tier('huge'), NOTHING],
    ['restoring', deleted, awake, { apps: 1, ...T1 }],
    ['restoring as hibernated', deleted, hibernated, { ...NOTHING, apps: 1 }],
    ['deleting', awake, deleted, NOTHING],
    ['an edit of a deleted app', deleted, deleted, NOTHING],
  ])('of %s', (_, before, after, growth) => {
    expect(growthOf(before, after, TIERS)).toEqual(growth);
    expect(isGrowth(growth)).toBe(growth !== NOTHING);
  });
});

/** Of so many apps of the default size. */
const use = (apps: number, awakeApps: number): AppsUse => ({
  apps,
  memoryBytes: awakeApps * T1.memoryBytes,
  cpus: awakeApps * T1.cpus,
});

describe('quotaProblem', () => {
  const APP = use(1, 1);
  const WAKE = use(0, 1);
  const EDIT = use(0, 0);
  const NONE = use(0, 0);

  it.each<[Partial<Quota>, AppsUse, AppsUse, string | undefined]>([
    [{ apps: 2 }, use(1, 1), APP, undefined],
    [{ apps: 2 }, use(2, 1), APP, 'App limit reached: 2 of 2 apps in use.'],
    [{ apps: 2 }, use(5, 5), APP, 'App limit reached: 5 of 2 apps in use.'],
    [{ apps: 2 }, use(5, 4), WAKE, undefined],
    [{ apps: 2 }, use(5, 5), EDIT, undefined],
    [{ memoryBytes: 1024 * MIB }, use(2, 1), WAKE, undefined],
    [
      { memoryBytes: 1024 * MIB },
      use(3, 2),
      WAKE,
      'Memory limit reached: awake apps use 1024 of 1024 MB, and this app needs 512 MB.',
    ],
    [
      { memoryBytes: 1023.9 * MIB },
      use(2, 1),
      WAKE,
      'Memory limit reached: awake apps use 512 of 1023 MB, and this app needs 512 MB.',
    ],
    [
      { memoryBytes: 2 * GIB, cpus: 4 },
      use(2, 1),
      { apps: 0, memoryBytes: 2 * GIB, cpus: 1 },
      'Memory limit reached: awake apps use 512 of 2048 MB, and this app needs 2048 MB.',
    ],
    [{ memoryBytes: 512 * MIB }, use(4, 4), EDIT, undefined],
    [{ memoryBytes: 512 * MIB }, use(4, 4), use(1, 0), undefined],
    [{ cpus: 1 }, use(1, 1), APP, undefined],
    [
      { cpus: 1.5 },
      use(3, 3),
      APP,
      'CPU limit reached: awake apps use 1.5 of 1.5 CPU, and this app needs 0.5 CPU.',
    ],
    [{}, use(10_000, 10_000), APP, undefined],
  ])('with %j, used %j and growth %j is %j', (limits, used, growth, problem) => {
    const found = quotaProblem({ ...used, stopping: NONE }, growth, { ...NO_LIMITS, ...limits });
    expect(
      found
        ?.split('. ')
        .slice(0, 1)
        .map((text) => `${text}.`)[0],
    ).toBe(problem);
  });

  it('says what to do', () => {
    const used = { ...use(1, 1), stopping: NONE };
    expect(quotaProblem(used, APP, { ...NO_LIMITS, apps: 1 })).toMatch(
      / Delete an app, or ask the operator for a higher limit\.$/,
    );
    expect(quotaProblem(used, WAKE, { ...NO_LIMITS, cpus: 0.5 })).toMatch(
      / Hibernate or delete an app, or ask the operator for a higher limit\.$/,
    );
    expect(quotaProblem({ ...used, stopping: T1 }, WAKE, { ...NO_LIMITS, cpus: 0.5 })).toMatch(
      / An app that is stopping counts until it has stopped: try again in a moment\.$/,
    );
  });
});

it('the operator has no limits', () => {
  const quota = { apps: 1, memoryBytes: 1, cpus: 1, builds: 1, diskBytes: 1 };
  expect(quotaOf('operator', quota, NO_OVERRIDE)).toEqual(NO_LIMITS);
  expect(quotaOf('registered', quota, NO_OVERRIDE)).toEqual(quota);
});

it.each([
  [0, undefined],
  [2 * GIB - 1, undefined],
  [2 * GIB, '2 GB of 2 GB in use'],
  [2.54 * GIB, '2.5 GB of 2 GB in use'],
])('the disk problem of %i bytes is %j', (usedBytes, problem) => {
  expect(diskProblem(usedBytes, { ...NO_LIMITS, diskBytes: 2 * GIB })).toBe(problem);
});

it.each([
  ['the configured limit', null, 20],
  ['its own limit', 3, 3],
  ['no limit', 0, Number.POSITIVE_INFINITY],
])('gives a user %s', (_, override, apps) => {
  const quota = { ...NO_LIMITS, apps: 20 };
  expect(quotaOf('registered', quota, { ...NO_OVERRIDE, apps: override })).toEqual({
    ...quota,
    apps,
  });
});
