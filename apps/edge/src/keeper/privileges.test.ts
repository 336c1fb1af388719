import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { getPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import {
  createEdgeInstallation,
  EDGE_USER,
  type EdgeInstallation,
  processesOf,
} from '../../test/edge-processes.ts';

let edge: EdgeInstallation;
const engineSocket = createServer();

beforeAll(async () => {
  edge = createEdgeInstallation();
  await edge.start();
  await new Promise<void>((resolve) => engineSocket.listen(join(edge.dataDir, 'e.sock'), resolve));
});

afterAll(async () => {
  await edge.remove();
  engineSocket.close();
});

function statusOf(pid: number): Record<string, string> {
  const lines = readFileSync(`/proc/${pid}/status`, 'utf8').split('\n');
  return Object.fromEntries(lines.map((line) => line.split(/:\s*/, 2) as [string, string]));
}

it('runs keeper and worker as the user of the edge, without groups and capabilities', () => {
  const { uid, gid } = EDGE_USER ?? { uid: process.getuid?.(), gid: process.getgid?.() };
  const pids = processesOf(edge.folder);
  expect(pids).toHaveLength(2);
  for (const pid of pids) {
    const status = statusOf(pid);
    expect(status.Uid?.split('\t')).toEqual(Array(4).fill(`${uid}`));
    expect(status.Gid?.split('\t')).toEqual(Array(4).fill(`${gid}`));
    if (EDGE_USER !== undefined) expect(status.Groups?.trim()).toBe('');
    for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapAmb']) {
      expect(Number.parseInt(status[set] ?? '', 16)).toBe(0);
    }
    expect(status.NoNewPrivs).toBe('1');
  }
});

it('prefers requests to apps over other programs, if it may', () => {
  const expected = EDGE_USER === undefined ? getPriority() : -10;
  const pids = processesOf(edge.folder);
  expect(pids.map((pid) => getPriority(pid))).toEqual([expected, expected]);
  // Not every kernel shares CPU time between sessions first.
  if (EDGE_USER === undefined || !existsSync('/proc/self/autogroup')) return;
  for (const pid of pids) {
    expect(readFileSync(`/proc/${pid}/autogroup`, 'utf8')).toMatch(/ nice -10$/m);
  }
});

it('has a minimal environment, and its own session and working directory', () => {
  for (const pid of processesOf(edge.folder)) {
    const names = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean);
    const known = /^(UV_THREADPOOL_SIZE|NODE_CHANNEL_FD|NODE_CHANNEL_SERIALIZATION_MODE)=/;
    expect(names.filter((name) => !known.test(name))).toEqual([]);
  }
  const [keeper = 0] = processesOf(edge.folder, 'keeper.mjs');
  const session = readFileSync(`/proc/${keeper}/stat`, 'utf8').split(') ')[1]?.split(' ')[3];
  expect(Number(session)).toBe(keeper);
});

/** What the user of the edge can do with a path: the code of the error, or `ok`. */
function attempt(action: 'list' | 'read' | 'connect', path: string): string {
  const program = `
    const [action, path] = process.argv.slice(1);
    const fs = require('node:fs');
    const done = (error) => { console.log(error?.code ?? 'ok'); process.exit(); };
    if (action === 'list') fs.readdir(path, done);
    if (action === 'read') fs.readFile(path, done);
    if (action === 'connect') require('node:net').createConnection(path, done).on('error', done);
  `;
  const { stdout } = spawnSync(edge.node, ['-e', program, action, path], {
    ...EDGE_USER,
    cwd: edge.folder,
    env: {},
    encoding: 'utf8',
  });
  return stdout.trim();
}

it('can use its own folder only, neither the data directory nor engine nor database', () => {
  expect(attempt('read', join(edge.folder, 'secret'))).toBe('ok');
  expect(attempt('connect', join(edge.folder, 'control.sock'))).toBe('ok');
  // Not root: all processes have the same user.
  if (EDGE_USER === undefined) return;
  mkdirSync(join(edge.dataDir, 'apps'), { mode: 0o700 });
  writeFileSync(join(edge.dataDir, 'apps', 'file'), '');
  writeFileSync(join(edge.dataDir, 'key'), 'key', { mode: 0o600 });
  expect(attempt('list', edge.dataDir)).toBe('EACCES');
  expect(attempt('list', join(edge.dataDir, 'apps'))).toBe('EACCES');
  expect(attempt('read', join(edge.dataDir, 'apps', 'file'))).toBe('EACCES');
  expect(attempt('read', join(edge.dataDir, 'key'))).toBe('EACCES');
  expect(attempt('connect', join(edge.dataDir, 'e.sock'))).toBe('EACCES');
  const docker = '/var/run/docker.sock';
  if (existsSync(docker)) expect(attempt('connect', docker)).toBe('EACCES');
  const { host } = inject('postgres');
  expect(attempt('connect', join(host, '.s.PGSQL.5432'))).toBe('EACCES');
  expect(attempt('list', dirname(host))).toBe('EACCES');
});
