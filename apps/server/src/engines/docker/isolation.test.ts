import { expect, it } from 'vitest';
import { createSemaphore } from '../../concurrency/semaphore.ts';
import type { Isolation } from '../../sandbox/isolation.ts';
import type { DockerDeps } from './deps.ts';
import { engineDown } from './docker-error.ts';
import { createIsolationCheck, problemOf } from './isolation.ts';

const INFO = { OperatingSystem: 'Debian GNU/Linux 12', SecurityOptions: ['name=seccomp'] };
const BRIDGE_MISSING = 'are not on this machine, so Longshore cannot filter what containers reach.';

it.each([
  ['the bridges of this machine', INFO, true, true, undefined],
  [
    'bridges without rules',
    INFO,
    true,
    false,
    'nftables cannot filter the networks of Docker on this machine.',
  ],
  ['another machine', INFO, false, true, `The networks of this Docker Engine ${BRIDGE_MISSING}`],
  [
    'a rootless Docker Engine',
    { ...INFO, SecurityOptions: ['name=seccomp', 'name=rootless'] },
    false,
    true,
    `The networks of a rootless Docker Engine ${BRIDGE_MISSING}`,
  ],
  [
    'Docker Desktop',
    { OperatingSystem: 'Docker Desktop', SecurityOptions: null },
    false,
    false,
    `The networks of Docker Desktop ${BRIDGE_MISSING}`,
  ],
])('%s', (_, info, areBridgesHere, isFiltered, problem) => {
  expect(problemOf(info, { areBridgesHere, isFiltered })).toBe(problem);
});

/** An engine without projects. `machine`: what the sandbox finds. `bridge`: a setting of the probe's bridge. */
function createDeps(machine: Isolation = { kind: 'isolated' }) {
  const state = { isDown: false, bridge: '1' as string | undefined, isFiltered: true };
  const requests: string[] = [];
  const networks: { Id: string; Name: string }[] = [];
  const filtered: number[] = [];
  const deps = {
    owner: { installation: 'installation' },
    networkLock: createSemaphore(1),
    reservedNetwork: '10.213.0.0/16',
    docker: {
      async call(method: string, path: string, { body }: { body?: { Name: string } }) {
        requests.push(`${method} ${path}`);
        if (state.isDown) throw engineDown(new Error('ENOENT'));
        if (method === 'DELETE') networks.length = 0;
        if (body !== undefined) networks.push({ Id: 'abc', Name: body.Name });
        return path === '/info' ? INFO : networks.map((it) => ({ ...it, IPAM: { Config: [] } }));
      },
    },
    firewall: {
      filter: async (found: unknown[]) => void filtered.push(found.length),
      isActive: () => state.isFiltered,
    },
    sandbox: { open: async () => ({ isolation: machine }) },
    logError: (error: unknown) => {
      throw error;
    },
  } as unknown as DockerDeps;
  const check = createIsolationCheck(deps, { readSetting: async () => state.bridge });
  return { state, requests, networks, filtered, check };
}

it('is found with a network that exists only meanwhile, and is not checked again', async () => {
  const { check, networks, filtered, requests } = createDeps();
  expect(await check()).toEqual({ kind: 'isolated' });
  expect(networks).toEqual([]);
  expect(filtered).toEqual([1, 0]);
  const before = requests.length;
  expect(await check()).toEqual({ kind: 'isolated' });
  expect(requests).toHaveLength(before);
});

it('is found later where Docker starts after the server', async () => {
  const { check, state } = createDeps();
  state.isDown = true;
  expect(await check()).toEqual({
    kind: 'not-isolated',
    missing: ['The Docker Engine does not respond, so Longshore cannot check it.'],
    packages: [],
  });
  state.isDown = false;
  expect(await check()).toEqual({ kind: 'isolated' });
});

it('names what the machine and Docker lack', async () => {
  const missing = ['bwrap is missing: install the package bubblewrap.'];
  const { check, state } = createDeps({ kind: 'not-isolated', missing, packages: ['bubblewrap'] });
  state.bridge = undefined;
  expect(await check()).toEqual({
    kind: 'not-isolated',
    missing: [...missing, `The networks of this Docker Engine ${BRIDGE_MISSING}`],
    packages: ['bubblewrap'],
  });
});
