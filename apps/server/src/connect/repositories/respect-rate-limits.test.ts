import { createSimulatedClock } from '@longshore/testkit';
import { expect, it } from 'vitest';
import type { AccountAccess } from '../accounts/accounts.ts';
import type { Integration } from '../accounts/integrations.ts';
import { ProviderFailure } from '../providers/provider-failure.ts';
import { respectRateLimits } from './respect-rate-limits.ts';

const [one, other] = ['1', '2'].map((id) => ({ id }) as Integration) as [Integration, Integration];

/** Accounts whose requests fail with `failures`, by integration id, or return the id. */
function prepare(failures: Record<string, ProviderFailure>) {
  const clock = createSimulatedClock();
  const requests: string[] = [];
  const accounts: AccountAccess = {
    async use({ id }) {
      requests.push(id);
      if (failures[id]) throw failures[id];
      return id as never;
    },
  };
  const limitedAccounts = respectRateLimits(accounts, clock);
  return {
    clock,
    requests,
    failures,
    use: (it: Integration) => limitedAccounts.use(it, async () => it.id),
  };
}

const rateLimited = (retryAt: number) =>
  new ProviderFailure('rate-limited', { retryAt: new Date(retryAt) });

it('sends no requests for a rate-limited integration until it may be retried', async () => {
  const { clock, requests, failures, use } = prepare({});
  failures['1'] = rateLimited(clock.now() + 30_000);
  await expect(use(one)).rejects.toBe(failures['1']);
  await expect(use(one)).rejects.toBe(failures['1']);
  expect(await use(other)).toBe('2');
  expect(requests).toEqual(['1', '2']);
  delete failures['1'];
  await clock.advance(30_000);
  expect(await use(one)).toBe('1');
});

it('retries after a minute, even if the provider requests a longer wait', async () => {
  const { clock, requests, failures, use } = prepare({});
  failures['1'] = rateLimited(clock.now() + 24 * 60 * 60_000);
  await expect(use(one)).rejects.toThrow();
  await clock.advance(60_000);
  await expect(use(one)).rejects.toThrow();
  expect(requests).toEqual(['1', '1']);
});

it('retries at once after any other failure', async () => {
  const { requests, use } = prepare({ 1: new ProviderFailure('unreachable') });
  await expect(use(one)).rejects.toThrow();
  await expect(use(one)).rejects.toThrow();
  expect(requests).toEqual(['1', '1']);
});
