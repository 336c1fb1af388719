import { expect, it } from 'vitest';
import { decodeAccountUsage } from './account-usage.ts';

const usage = { used: 1, limit: null };
const body = {
  apps: usage,
  memoryBytes: usage,
  cpus: usage,
  builds: { ...usage, waiting: 0 },
  diskBytes: { used: null, limit: 5 },
  perApp: { memoryBytes: 512, cpus: 0.5 },
};

it('accepts the usage of an account', () => {
  expect(decodeAccountUsage(body)).toEqual(body);
});

it.each([
  undefined,
  {},
  { ...body, apps: undefined },
  { ...body, cpus: { used: '1', limit: null } },
  { ...body, builds: usage },
  { ...body, diskBytes: { used: 1 } },
  { ...body, perApp: { memoryBytes: 512 } },
])('refuses %j', (invalid) => {
  expect(decodeAccountUsage(invalid)).toBeUndefined();
});
