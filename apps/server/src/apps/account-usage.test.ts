import { expect, it } from 'vitest';
import { TIERS } from '../../test/tiers.ts';
import { createOwnerLimits } from './account-usage.ts';
import { NO_LIMITS } from './quota.ts';

const GIB = 1024 ** 3;
const { signal } = new AbortController();

function limitsOf(account: { appBytes: number; cacheBytes: number; uploadedBytes?: number }) {
  const removed: string[] = [];
  const limits = createOwnerLimits({
    db: undefined as never,
    tiers: TIERS,
    quotas: { quotaOf: async () => ({ ...NO_LIMITS, diskBytes: 20 * GIB }) },
    apps: { idsOnEngine: async () => ['shop'] },
    engine: {
      usedBytes: async () => account.appBytes + (removed.length === 0 ? account.cacheBytes : 0),
      removeCaches: async (ownerId) => void removed.push(ownerId),
    },
    uploads: { usedBytes: async () => account.uploadedBytes ?? 0 },
  });
  return { removed, problem: () => limits.diskProblemOf('ada', signal) };
}

it.each([
  ['keeps caches that fit', { appBytes: 10 * GIB, cacheBytes: 9 * GIB }, [], undefined],
  ['removes caches first', { appBytes: 10 * GIB, cacheBytes: 11 * GIB }, ['ada'], undefined],
  [
    'refuses what does not fit without them',
    { appBytes: 21 * GIB, cacheBytes: 1 * GIB },
    ['ada'],
    '21 GB of 20 GB in use',
  ],
  [
    'counts uploaded archives',
    { appBytes: 19 * GIB, cacheBytes: 0, uploadedBytes: 2 * GIB },
    ['ada'],
    '21 GB of 20 GB in use',
  ],
])('%s', async (_, account, removed, problem) => {
  const limits = limitsOf(account);
  expect(await limits.problem()).toBe(problem);
  expect(limits.removed).toEqual(removed);
});
