import { expect, it } from 'vitest';
import { createDiskRule } from './disk-guard.ts';

const MIB = 1024 ** 2;

function createMachine() {
  const machine = { isShort: false, sizes: {} as Record<string, number>, stopped: [] as string[] };
  const rule = createDiskRule({
    isShort: async () => machine.isShort,
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
  machine.isShort = true;
  machine.sizes = { large: 9_000 * MIB, growing: 10 * MIB };
  await rule.check();
  machine.sizes = { large: 9_060 * MIB, growing: 75 * MIB, fresh: 65 * MIB };
  await rule.check();
  await rule.check();
  expect(machine.stopped).toEqual(['growing', 'fresh']);
  expect(() => rule.checkApp('growing')).toThrow('it wrote 65 MiB after the machine had become');
  expect(() => rule.checkApp('large')).not.toThrow();
});

it('lets stopped apps run again when the machine has space', async () => {
  const { machine, rule } = createMachine();
  machine.isShort = true;
  await rule.check();
  machine.sizes = { growing: 100 * MIB };
  await rule.check();
  machine.isShort = false;
  await rule.check();
  expect(() => rule.checkApp('growing')).not.toThrow();
  machine.isShort = true;
  await rule.check();
  expect(machine.stopped).toEqual(['growing']);
});
