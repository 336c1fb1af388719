import { constants } from 'node:fs';
import { mkdtemp, open, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isAlive } from './process-stat.ts';
import { type RunOutcome, run, waitForInterruption } from './run.ts';

const env = { PATH: '/usr/local/bin:/usr/bin:/bin' };
const never = new AbortController().signal;

describe('run', () => {
  it.each<[what: string, argv: [string, ...string[]], end: RunOutcome]>([
    ['an exit code', node('process.exit(3)'), { kind: 'exited', code: 3 }],
    [
      'a signal',
      node('process.kill(process.pid, "SIGKILL")'),
      { kind: 'killed', signal: 'SIGKILL' },
    ],
    ['a missing program', ['no-such-program'], { kind: 'missing' }],
  ])('returns %s', async (_, argv, end) => {
    const signal = never;
    expect(await run({ argv, cwd: '/', env }, { signal, timeoutMs: 10_000 })).toEqual(end);
  });

  it('passes on each line of both streams', async () => {
    const argv = node('console.log("out\\nmore"); console.error("err")');
    expect((await linesOf(argv)).sort()).toEqual(['err', 'more', 'out']);
  });

  it('splits at carriage returns too if asked to', async () => {
    const argv = node('process.stdout.write("1%\\r2%\\r\\ndone")');
    expect(await linesOf(argv)).toEqual(['2%', 'done']);
    expect(await linesOf(argv, { splitsAtReturns: true })).toEqual(['1%', '2%', '', 'done']);
  });

  it('passes on an open folder, wherever it is now', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'longshore-run-'));
    const handle = await open(folder, constants.O_DIRECTORY);
    await rmdir(folder);
    const lines: string[] = [];
    const argv = ['readlink', '/proc/self/fd/3'] as const;
    const options = {
      signal: never,
      timeoutMs: 10_000,
      onLine: (line: string) => lines.push(line),
    };
    await run({ argv, cwd: '/', env, inheritedFds: [handle.fd] }, options);
    await handle.close();
    expect(lines).toEqual([`${folder} (deleted)`]);
  });

  it('starts programs one after another, and lets others work in between', async () => {
    const order: string[] = [];
    const others = setInterval(() => order.push('others'));
    const onSpawned = () => void order.push('spawn');
    const options = { signal: never, timeoutMs: 10_000 };
    const runs = [1, 2, 3].map(() => run({ argv: ['true'], cwd: '/', env, onSpawned }, options));
    await Promise.all(runs);
    clearInterval(others);
    expect(order.filter((it, index) => it === 'spawn' && order[index - 1] === 'spawn')).toEqual([]);
    expect(order.filter((it) => it === 'spawn')).toHaveLength(3);
  });

  it('passes user text as one argument, whatever it contains', async () => {
    const text = '$(id); `id` && "x" \n -rf *';
    expect((await linesOf([...node('console.log(process.argv[1])'), text])).join('\n')).toBe(text);
  });

  it('writes the input, also to a program that does not read it', async () => {
    const input = 'x'.repeat(200_000);
    const options = { signal: never, timeoutMs: 10_000, input };
    expect(await linesOf(['wc', '-c'], { input })).toEqual(['200000']);
    const end = await run({ argv: ['true'], cwd: '/', env }, options);
    expect(end).toEqual({ kind: 'exited', code: 0 });
  });

  it('stops the process group on timeout', async () => {
    const lines: string[] = [];
    const argv = node('console.log(process.pid); setInterval(() => {}, 1000)');
    const options = { signal: never, timeoutMs: 700, onLine: (line: string) => lines.push(line) };
    expect(await run({ argv, cwd: '/', env }, options)).toEqual({ kind: 'timed-out' });
    expect(await isAlive(Number(lines[0]))).toBe(false);
  });

  it('knows that it was interrupted before it waits', async () => {
    const signal = AbortSignal.abort();
    expect(await waitForInterruption({ signal, timeoutMs: 10_000 })).toBe('interrupted');
  });

  it('stops the process group before it rejects on abort', async () => {
    const stop = new AbortController();
    let pid = 0;
    const argv = node('console.log(process.pid); setInterval(() => {}, 1000)');
    const onLine = (line: string) => {
      pid = Number(line);
      stop.abort();
    };
    const running = run(
      { argv, cwd: '/', env },
      { signal: stop.signal, timeoutMs: 10_000, onLine },
    );
    await expect(running).rejects.toThrow();
    expect(await isAlive(pid)).toBe(false);
  });

  it('does not wait for a child in the background that holds the output open', async () => {
    const child = `require('node:child_process').spawn('sleep', ['60'], { stdio: 'inherit' })`;
    const argv = node(`console.log(${child}.pid); process.exit(0)`);
    const [pid] = await linesOf(argv);
    expect(await isAlive(Number(pid))).toBe(false);
  });
});

function node(script: string): [string, ...string[]] {
  return [process.execPath, '-e', script];
}

async function linesOf(argv: [string, ...string[]], more = {}): Promise<string[]> {
  const lines: string[] = [];
  const onLine = (line: string) => lines.push(line);
  await run({ argv, cwd: '/', env }, { signal: never, timeoutMs: 10_000, onLine, ...more });
  return lines;
}
