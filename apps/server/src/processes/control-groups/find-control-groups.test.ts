import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findControlGroups } from './find-control-groups.ts';

/* On plain folders: what is written where. The kernel's own are tried in the tests of the engine. */

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'longshore-groups-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const LIMITS = { memoryBytes: 4_096, cpus: 2, processes: 3 };

it('keeps one tree where the kernel has one, and hands on what is limited in it', async () => {
  await writeFile(join(root, 'cgroup.controllers'), 'cpuset cpu io memory pids\n');
  const groups = findControlGroups('ours', root);
  groups?.create('app', LIMITS);
  groups?.addProcess('app', 7);
  const read = (path: string) => readFile(join(root, path), 'utf8');
  expect(await read('cgroup.subtree_control')).toBe('+memory +cpu +pids');
  expect(await read('ours/cgroup.subtree_control')).toBe('+memory +cpu +pids');
  expect(await read('ours/app/memory.max')).toBe('4096');
  expect(await read('ours/app/cpu.max')).toBe('200000 100000');
  expect(await read('ours/app/pids.max')).toBe('3');
  expect(groups?.members('app')).toEqual([7]);
  expect(groups?.list()).toContain('app');
});

it('keeps three trees where the kernel has one for each', async () => {
  for (const controller of ['memory', 'cpu', 'pids']) {
    await mkdir(join(root, controller));
    await writeFile(join(root, controller, 'cgroup.procs'), '');
  }
  const groups = findControlGroups('ours', root);
  groups?.create('app', LIMITS);
  expect(await readFile(join(root, 'cpu/ours/app/cpu.cfs_quota_us'), 'utf8')).toBe('200000');
  expect(await readFile(join(root, 'memory/ours/app/memory.limit_in_bytes'), 'utf8')).toBe('4096');
});

it('finds none where the tree limits less than we need, or is not there', async () => {
  expect(findControlGroups('ours', join(root, 'nowhere'))).toBeUndefined();
  await writeFile(join(root, 'cgroup.controllers'), 'hugetlb\n');
  expect(findControlGroups('ours', root)).toBeUndefined();
});
