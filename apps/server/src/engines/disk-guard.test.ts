import { expect, it } from 'vitest';
import type { SpaceLevel } from './disk-full.ts';
import { createDiskRule } from './disk-guard.ts';

const MIB = 1024 ** 2;

function createMachine() {
  const machine = {
    space: 'enough' as SpaceLevel,
    sizes: {} as Record<string, number | undefined>,
    stopped: [] as string[],
  };
  const rule = createDiskRule({
    space: async () => machine.space,
    sizes: async () => new Map(Object.entries(machine.sizes)),
    stop: async (appId) => void machine.stopped.push(appId),
  });
  return { machine, rule };
}

it('stops nothing while the machine has space', async () => {
  const { machine, rule } = createMachine();
  for (const megabytes of [0, 500, 5_000]) {
    machine.sizes = { large: megabytes * MIB };
    await rule.check();
  }
  expect(machine.stopped).toEqual([]);
});

it('stops apps that keep growing on a machine short of space, once, and no others', async () => {
  const { machine, rule } = createMachine();
  machine.space = 'short';
  machine.sizes = { large: 9_000 * MIB, growing: 10 * MIB };
  await rule.check();
  machine.sizes = { large: 9_060 * MIB, growing: 75 * MIB, fresh: 65 * MIB };
  await rule.check();
  await rule.check();
  expect(machine.stopped).toEqual(['growing', 'fresh']);
  expect(() => rule.checkApp('growing')).toThrow('it wrote 65 MiB after the machine had become');
  expect(() => rule.checkApp('large')).not.toThrow();
});

it('compares with the sizes from before the machine became short', async () => {
  const { machine, rule } = createMachine();
  machine.space = 'low';
  machine.sizes = { fast: 10 * MIB, earlier: 10 * MIB };
  await rule.check();
  machine.sizes = { fast: 10 * MIB, earlier: 500 * MIB };
  for (let checks = 0; checks < 40; checks += 1) await rule.check();
  expect(machine.stopped).toEqual([]);
  machine.space = 'short';
  machine.sizes = { fast: 1_500 * MIB, earlier: 500 * MIB };
  await rule.check();
  expect(machine.stopped).toEqual(['fast']);
});

it('takes the first known size of an app that could not be measured at once', async () => {
  const { machine, rule } = createMachine();
  machine.space = 'short';
  machine.sizes = { slow: undefined };
  await rule.check();
  machine.sizes = { slow: 900 * MIB };
  await rule.check();
  expect(machine.stopped).toEqual([]);
  machine.sizes = { slow: 965 * MIB };
  await rule.check();
  expect(machine.stopped).toEqual(['slow']);
});

it('lets stopped apps run again when the machine has space, once their owners know why', async () => {
  const { machine, rule } = createMachine();
  machine.space = 'short';
  await rule.check();
  machine.sizes = { growing: 100 * MIB };
  await rule.check();
  machine.space = 'enough';
  await rule.check();
  expect(() => rule.checkApp('growing')).toThrow('The app was stopped');
  await rule.check();
  expect(() => rule.checkApp('growing')).not.toThrow();
  machine.space = 'short';
  await rule.check();
  expect(machine.stopped).toEqual(['growing']);
});
