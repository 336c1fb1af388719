import { expect, it } from 'vitest';
import { anAccountUsage } from '../../../../test/resources.ts';
import { bytesText, usageRows } from './usage-view.ts';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

const textsOf = (usage: ReturnType<typeof anAccountUsage>) =>
  usageRows(usage).map(({ name, text }) => `${name}: ${text}`);
const reachedBy = (usage: ReturnType<typeof anAccountUsage>) =>
  usageRows(usage)
    .filter(({ advice }) => advice !== undefined)
    .map(({ name }) => name);

it('shows what is used and allowed', () => {
  const usage = anAccountUsage({ diskBytes: { used: 1.25 * GIB, limit: 20 * GIB } });
  expect(textsOf(usage)).toEqual([
    'Apps: 2 of 20',
    'Memory: 512 MB of 4 GB',
    'CPU: 0.5 of 2',
    'Builds at once: 0 of 2',
    'Disk: 1.3 GB of 20 GB',
  ]);
  expect(usageRows(usage).map(({ share }) => share)).toEqual([0.1, 0.125, 0.25, 0, 0.0625]);
  expect(reachedBy(usage)).toEqual([]);
});

it('shows that there is no limit, and what cannot be measured', () => {
  const free = { used: 3, limit: null };
  const usage = anAccountUsage({
    apps: free,
    builds: { ...free, waiting: 0 },
    diskBytes: { used: null, limit: GIB },
  });
  expect(textsOf(usage)).toEqual([
    'Apps: 3 · No limit',
    'Memory: 512 MB of 4 GB',
    'CPU: 0.5 of 2',
    'Builds at once: 3 · No limit',
    'Disk: Not measured on this server',
  ]);
});

it.each<[string, Parameters<typeof anAccountUsage>[0], string[]]>([
  ['all apps', { apps: { used: 20, limit: 20 } }, ['Apps']],
  ['more apps than allowed', { apps: { used: 23, limit: 20 } }, ['Apps']],
  [
    'too little memory for one more app',
    { memoryBytes: { used: GIB, limit: 1.4 * GIB } },
    ['Memory'],
  ],
  ['memory for exactly one more app', { memoryBytes: { used: GIB, limit: 1.5 * GIB } }, []],
  ['all CPUs', { cpus: { used: 2, limit: 2 } }, ['CPU']],
  ['all builds', { builds: { used: 2, limit: 2, waiting: 0 } }, []],
  ['waiting builds', { builds: { used: 2, limit: 2, waiting: 3 } }, ['Builds at once']],
  ['the whole disk', { diskBytes: { used: 5 * GIB, limit: 5 * GIB } }, ['Disk']],
])('explains %s', (_, change, reached) => {
  const usage = anAccountUsage(change);
  expect(reachedBy(usage)).toEqual(reached);
  for (const { share } of usageRows(usage)) expect(share).toBeLessThanOrEqual(1);
});

it.each([
  [0, '0 MB'],
  [512 * MIB, '512 MB'],
  [GIB, '1 GB'],
  [7.76 * GIB, '7.8 GB'],
])('%i bytes are %s', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text);
});
