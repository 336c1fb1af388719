import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { serviceGroup } from './service-group.ts';

function temporaryTree(...files: string[]): string {
  const root = mkdtempSync(join(tmpdir(), 'longshore-groups-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const file of files) {
    mkdirSync(join(root, file, '..'), { recursive: true });
    writeFileSync(join(root, file), '');
  }
  return root;
}

it('has a higher weight than apps in the one tree of version 2', () => {
  const root = temporaryTree('cgroup.controllers');
  serviceGroup('edge', root).join(7);
  expect(readFileSync(join(root, 'edge/cpu.weight'), 'utf8')).toBe('1000');
  expect(readFileSync(join(root, 'edge/cgroup.procs'), 'utf8')).toBe('7');
});

it('leaves the group of the server in the trees of version 1 that exist', () => {
  const root = temporaryTree('cpu/cgroup.procs', 'systemd/cgroup.procs');
  serviceGroup('edge', root).join(7);
  expect(readFileSync(join(root, 'cpu/edge/cpu.shares'), 'utf8')).toBe('10240');
  expect(readFileSync(join(root, 'systemd/edge/cgroup.procs'), 'utf8')).toBe('7');
  expect(existsSync(join(root, 'unified'))).toBe(false);
});

it('does nothing where there are no control groups', async () => {
  const root = temporaryTree();
  const group = serviceGroup('edge', root);
  group.join(7);
  await group.remove();
  expect(existsSync(join(root, 'edge'))).toBe(false);
});
