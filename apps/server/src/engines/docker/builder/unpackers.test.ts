import { expect, it } from 'vitest';
import { lowerUnpackers } from './unpackers.ts';

function createMachine() {
  const names = new Map<number, string>([[1, '/usr/bin/dockerd']]);
  const namespaces = new Map<number | 'self', string>([['self', 'pid:[1]']]);
  const lowered: number[] = [];
  let timer: (() => void) | undefined;
  const { stop } = lowerUnpackers(
    async (pid) => {
      lowered.push(pid);
    },
    {
      list: async () => [...names.keys()],
      nameOf: async (pid) => names.get(pid),
      namespaceOf: async (pid) => namespaces.get(pid),
    },
    {
      setTimeout: (run) => {
        timer = run;
      },
      clearTimeout: () => {
        timer = undefined;
      },
    },
  );
  return {
    stop,
    lowered,
    start(pid: number, name: string, namespace = 'pid:[1]') {
      names.set(pid, name);
      namespaces.set(pid, namespace);
    },
    end: (pid: number) => names.delete(pid),
    isWaiting: () => timer !== undefined,
    async look() {
      const run = timer;
      timer = undefined;
      run?.();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

it('lowers each program that unpacks an image, once', async () => {
  const machine = createMachine();
  machine.start(7, 'docker-untar');
  await machine.look();
  machine.start(8, 'docker-applyLayer');
  machine.start(9, 'node');
  await machine.look();
  await machine.look();
  expect(machine.lowered).toEqual([7, 8]);
});

it('looks at a process id again after its program has ended', async () => {
  const machine = createMachine();
  machine.start(7, 'node');
  await machine.look();
  machine.end(7);
  await machine.look();
  machine.start(7, 'docker-untar');
  await machine.look();
  expect(machine.lowered).toEqual([7]);
});

it('leaves a program of a container where it is, whatever its name', async () => {
  const machine = createMachine();
  machine.start(7, 'docker-untar', 'pid:[2]');
  await machine.look();
  expect(machine.lowered).toEqual([]);
});

it('ends when it is stopped, also while it looks', async () => {
  const machine = createMachine();
  const looking = machine.look();
  machine.stop();
  await looking;
  expect(machine.isWaiting()).toBe(false);
});
