import { DEFAULT_TIERS } from '@longshore/contract';
import { expect, it } from 'vitest';
import { anAccountUsage, anApp } from '../../../../test/resources.ts';
import { sizeOptions } from './size-options.ts';

const GIB = 1024 ** 3;
const tiers = DEFAULT_TIERS.slice(0, 3);
const { values } = anApp();
/** The app is the only one that is awake. */
const usage = anAccountUsage({
  memoryBytes: { used: GIB / 2, limit: GIB },
  cpus: { used: 0.5, limit: null },
});
const labels = (choice: Partial<Parameters<typeof sizeOptions>[0]>) =>
  sizeOptions({ tiers, chosen: 't1', usage: undefined, ...choice }).map(({ label }) => label);

it.each([
  ['plain numbers', {}, ['0.5 CPU, 512 MiB', '1 CPU, 1 GiB', '1 CPU, 2 GiB']],
  [
    'which are over the limit for a new app',
    { usage },
    ['0.5 CPU, 512 MiB', '1 CPU, 1 GiB · over your limit', '1 CPU, 2 GiB · over your limit'],
  ],
  [
    'which are over the limit for an app that uses some of it already',
    { usage, stored: values },
    ['0.5 CPU, 512 MiB', '1 CPU, 1 GiB', '1 CPU, 2 GiB · over your limit'],
  ],
  [
    'one that the app has and the server does not offer',
    { chosen: 'huge', stored: { ...values, resourceTier: 'huge' } },
    ['0.5 CPU, 512 MiB', '1 CPU, 1 GiB', '1 CPU, 2 GiB', 'huge · no longer offered'],
  ],
])('offers %s', (_, choice, expected) => {
  expect(labels(choice)).toEqual(expected);
});

it('cannot be changed to what is over the limit or not offered', () => {
  const disabled = (chosen: string) =>
    sizeOptions({ tiers, chosen, stored: { ...values, resourceTier: chosen }, usage })
      .filter(({ isDisabled }) => isDisabled)
      .map(({ value }) => value);
  expect(disabled('t1')).toEqual(['t3']);
  expect(disabled('t3')).toEqual([]);
  expect(disabled('huge')).toEqual(['t2', 't3', 'huge']);
});
