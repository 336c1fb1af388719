import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findControlGroups } from './find-control-groups.ts';

/* These tests run on plain folders. The tests of the process engine use the kernel's control groups. */

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'longshore-groups-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const LIMITS = { memoryBytes: 4_096, cpus: 2, processes: 3 };

it('uses one tree and delegates its controllers with cgroups v2', async () => {
  await writeFile(join(root, 'cgroup.controllers'), 'cpuset cpu io memory pids\n');
  const groups = findControlGroups('longshore', root);
  groups?.create('app', LIMITS);
  groups?.addProcess('app', 7);
  const read = (path: string) => readFile(join(root, path), 'utf8');
  expect(await read('cgroup.subtree_control')).toBe('+memory +cpu +pids');
  expect(await read('longshore/cgroup.subtree_control')).toBe('+memory +cpu +pids');
  expect(await read('longshore/app/memory.max')).toBe('4096');
  expect(await read('longshore/app/cpu.max')).toBe('200000 100000');
  expect(await read('longshore/app/pids.max')).toBe('3');
  expect(groups?.members('app')).toEqual([7]);
  expect(groups?.list()).toContain('app');
});

it('uses one tree per controller with cgroups v1', async () => {
  for (const controller of ['memory', 'cpu', 'pids']) {
    await mkdir(join(root, controller));
    await writeFile(join(root, controller, 'cgroup.procs'), '');
  }
  const groups = findControlGroups('longshore', root);
  groups?.create('app', LIMITS);
  expect(await readFile(join(root, 'cpu/longshore/app/cpu.cfs_quota_us'), 'utf8')).toBe('200000');
  expect(await readFile(join(root, 'memory/longshore/app/memory.limit_in_bytes'), 'utf8')).toBe(
    '4096',
  );
});

it.each([
  ['its own tree', 'cpuacct', ['memory', 'cpu', 'pids', 'cpuacct']],
  ['the tree of the limit', 'cpu', ['memory', 'cpu', 'pids']],
])('counts CPU time in %s with cgroups v1', async (_, tree, controllers) => {
  for (const controller of controllers) {
    await mkdir(join(root, controller));
    await writeFile(join(root, controller, 'cgroup.procs'), '');
  }
  await writeFile(join(root, tree, 'cpuacct.usage'), '');
  const groups = findControlGroups('longshore', root);
  groups?.create('app', LIMITS);
  groups?.addProcess('app', 7);
  expect(await readFile(join(root, tree, 'longshore/app/cgroup.procs'), 'utf8')).toBe('7');
  await writeFile(join(root, tree, 'longshore/app/cpuacct.usage'), '2500000000\n');
  await writeFile(join(root, 'memory/longshore/app/memory.usage_in_bytes'), '1000\n');
  await writeFile(join(root, 'memory/longshore/app/memory.stat'), 'total_inactive_file 400\n');
  expect(groups?.usage('app')).toEqual({ cpuSeconds: 2.5, memoryBytes: 600 });
});

it('knows no usage of a group that does not exist', async () => {
  await writeFile(join(root, 'cgroup.controllers'), 'cpuset cpu io memory pids\n');
  const groups = findControlGroups('longshore', root);
  expect(groups?.usage('app')).toEqual({ cpuSeconds: undefined, memoryBytes: undefined });
});

it('finds none when a needed controller or the tree is missing', async () => {
  expect(findControlGroups('longshore', join(root, 'nowhere'))).toBeUndefined();
  await writeFile(join(root, 'cgroup.controllers'), 'hugetlb\n');
  expect(findControlGroups('longshore', root)).toBeUndefined();
});
