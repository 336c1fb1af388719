import { describe, expect, it } from 'vitest';
import {
  type AppCounts,
  diskProblem,
  growthOf,
  NO_LIMITS,
  NO_OVERRIDE,
  type Quota,
  quotaOf,
  quotaProblem,
} from './quota.ts';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

const awake = { deleted: false, values: { instances: 1 } };
const hibernated = { deleted: false, values: { instances: 0 } };
const deleted = { deleted: true, values: { instances: 1 } };
const old = { deleted: false, values: 'anything' };

describe('growthOf', () => {
  it.each([
    ['a new app', undefined, awake, { apps: 1, awake: 1 }],
    ['a new hibernated app', undefined, hibernated, { apps: 1, awake: 0 }],
    ['waking', hibernated, awake, { apps: 0, awake: 1 }],
    ['hibernating', awake, hibernated, { apps: 0, awake: 0 }],
    ['an edit', awake, awake, { apps: 0, awake: 0 }],
    ['an edit of an app with old values', old, awake, { apps: 0, awake: 0 }],
    ['restoring', deleted, awake, { apps: 1, awake: 1 }],
    ['restoring as hibernated', deleted, hibernated, { apps: 1, awake: 0 }],
    ['deleting', awake, deleted, { apps: 0, awake: 0 }],
    ['an edit of a deleted app', deleted, deleted, { apps: 0, awake: 0 }],
  ])('of %s', (_, before, after, growth) => {
    expect(growthOf(before, after)).toEqual(growth);
  });
});

describe('quotaProblem', () => {
  const APP: AppCounts = { apps: 1, awake: 1 };
  const WAKE: AppCounts = { apps: 0, awake: 1 };
  const EDIT: AppCounts = { apps: 0, awake: 0 };

  it.each<[Partial<Quota>, AppCounts, AppCounts, string | undefined]>([
    [{ apps: 2 }, { apps: 1, awake: 1 }, APP, undefined],
    [{ apps: 2 }, { apps: 2, awake: 1 }, APP, 'App limit reached: 2 of 2 apps in use.'],
    [{ apps: 2 }, { apps: 5, awake: 5 }, APP, 'App limit reached: 5 of 2 apps in use.'],
    [{ apps: 2 }, { apps: 5, awake: 4 }, WAKE, undefined],
    [{ apps: 2 }, { apps: 5, awake: 5 }, EDIT, undefined],
    [{ memoryBytes: 1024 * MIB }, { apps: 2, awake: 1 }, WAKE, undefined],
    [
      { memoryBytes: 1024 * MIB },
      { apps: 3, awake: 2 },
      WAKE,
      'Memory limit reached: awake apps use 1024 of 1024 MB, and this app needs 512 MB.',
    ],
    [
      { memoryBytes: 1023.9 * MIB },
      { apps: 2, awake: 1 },
      WAKE,
      'Memory limit reached: awake apps use 512 of 1023 MB, and this app needs 512 MB.',
    ],
    [{ memoryBytes: 512 * MIB }, { apps: 4, awake: 4 }, EDIT, undefined],
    [{ memoryBytes: 512 * MIB }, { apps: 4, awake: 4 }, { apps: 1, awake: 0 }, undefined],
    [{ cpus: 1 }, { apps: 1, awake: 1 }, APP, undefined],
    [
      { cpus: 1.5 },
      { apps: 3, awake: 3 },
      APP,
      'CPU limit reached: awake apps use 1.5 of 1.5 CPU, and this app needs 0.5 CPU.',
    ],
    [{}, { apps: 10_000, awake: 10_000 }, APP, undefined],
  ])('with %j, used %j and growth %j is %j', (limits, used, growth, problem) => {
    const found = quotaProblem({ ...used, stopping: 0 }, growth, { ...NO_LIMITS, ...limits });
    expect(
      found
        ?.split('. ')
        .slice(0, 1)
        .map((text) => `${text}.`)[0],
    ).toBe(problem);
  });

  it('says what to do', () => {
    const used = { apps: 1, awake: 1, stopping: 0 };
    expect(quotaProblem(used, APP, { ...NO_LIMITS, apps: 1 })).toMatch(
      / Delete an app, or ask the operator for a higher limit\.$/,
    );
    expect(quotaProblem(used, WAKE, { ...NO_LIMITS, cpus: 0.5 })).toMatch(
      / Hibernate or delete an app, or ask the operator for a higher limit\.$/,
    );
    expect(quotaProblem({ ...used, stopping: 1 }, WAKE, { ...NO_LIMITS, cpus: 0.5 })).toMatch(
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
