import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@longshore/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { isAlive } from './process-stat.ts';

const STAND_IN = join(import.meta.dirname, 'stand-in.ts');

/** A server whose stand-in makes a file; it says the stand-in's pid, and waits to be killed. */
const SERVER = `
  const { startStandIn } = await import(process.argv[1]);
  const argv = [process.execPath, '-e', 'fs.writeFileSync(process.argv[1], "")', process.argv[2]];
  const { pid } = await startStandIn({ argv, cwd: '/', env: { PATH: process.env.PATH } });
  process.send(pid);
  process.on('message', () => process.disconnect());
`;

async function startServer() {
  const folder = await mkdtemp(join(tmpdir(), 'longshore-stand-in-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const argv = ['--input-type=module', '-e', SERVER, STAND_IN, join(folder, 'begun')];
  const server: ChildProcess = spawn(process.execPath, argv, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  onTestFinished(() => void server.kill('SIGKILL'));
  const [standIn] = (await once(server, 'message')) as [number];
  return { server, standIn, signs: () => readdir(folder) };
}

it('waits while the server lives, and begins when it is killed', async () => {
  const { server, standIn, signs } = await startServer();
  expect(await isAlive(standIn)).toBe(true);
  expect(await signs()).toEqual([]);
  server.kill('SIGKILL');
  await eventually(async () => (await signs()).includes('begun'), 'the stand-in to begin');
  await eventually(async () => !(await isAlive(standIn)), 'the stand-in to end');
});

it('does not keep the server from ending by itself', async () => {
  const { server, signs } = await startServer();
  const ended = once(server, 'exit');
  server.send('end');
  expect(await ended).toEqual([0, null]);
  await eventually(async () => (await signs()).includes('begun'), 'the stand-in to begin');
});
