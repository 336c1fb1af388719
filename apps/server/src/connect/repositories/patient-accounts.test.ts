import { createSimulatedClock } from '@longshore/testkit';
import { expect, it } from 'vitest';
import type { AccountAccess } from '../accounts/accounts.ts';
import type { Integration } from '../accounts/integrations.ts';
import { ProviderFailure } from '../providers/provider-failure.ts';
import { createPatientAccounts } from './patient-accounts.ts';

const [one, other] = ['1', '2'].map((id) => ({ id }) as Integration) as [Integration, Integration];

/** Whoever is asked for fails as said, or answers who it was. */
function prepare(failures: Record<string, ProviderFailure>) {
  const clock = createSimulatedClock();
  const asked: string[] = [];
  const accounts: AccountAccess = {
    async use({ id }) {
      asked.push(id);
      if (failures[id]) throw failures[id];
      return id as never;
    },
  };
  const patient = createPatientAccounts(accounts, clock);
  return { clock, asked, failures, use: (it: Integration) => patient.use(it, async () => it.id) };
}

const limited = (retryAt: number) =>
  new ProviderFailure('rate-limited', { retryAt: new Date(retryAt) });

it('leaves alone only whose provider asked for it, until it may be asked again', async () => {
  const { clock, asked, failures, use } = prepare({});
  failures['1'] = limited(clock.now() + 30_000);
  await expect(use(one)).rejects.toBe(failures['1']);
  await expect(use(one)).rejects.toBe(failures['1']);
  expect(await use(other)).toBe('2');
  expect(asked).toEqual(['1', '2']);
  delete failures['1'];
  await clock.advance(30_000);
  expect(await use(one)).toBe('1');
});

it('looks again after a minute, however long the provider says', async () => {
  const { clock, asked, failures, use } = prepare({});
  failures['1'] = limited(clock.now() + 24 * 60 * 60_000);
  await expect(use(one)).rejects.toThrow();
  await clock.advance(60_000);
  await expect(use(one)).rejects.toThrow();
  expect(asked).toEqual(['1', '1']);
});

it('asks again at once after any other failure', async () => {
  const { asked, use } = prepare({ 1: new ProviderFailure('unreachable') });
  await expect(use(one)).rejects.toThrow();
  await expect(use(one)).rejects.toThrow();
  expect(asked).toEqual(['1', '1']);
});
