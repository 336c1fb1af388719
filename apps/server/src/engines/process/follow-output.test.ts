import { appendFileSync } from 'node:fs';
import { appendFile, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type FollowOptions, followOutput } from './follow-output.ts';
import { readLastLines } from './wait-until-listening.ts';

let folder: string;
let output: string;
let lines: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longshore-tail-'));
  output = join(folder, 'output');
  lines = [];
  await writeFile(output, '');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('emits lines as they are written', async () => {
  const tail = await start();
  await appendFile(output, 'one\ntw');
  await expect.poll(() => lines).toEqual(['one']);
  await appendFile(output, 'o\n');
  await expect.poll(() => lines).toEqual(['one', 'two']);
  await tail.close();
});

it('continues where the previous follower stopped, also within a line', async () => {
  const first = await start();
  await appendFile(output, 'one\ntwo\nthr');
  await expect.poll(() => lines).toEqual(['one', 'two']);
  await first.close();
  await appendFile(output, 'ee\nfour\n');
  const second = await start();
  await second.finish();
  expect(lines).toEqual(['one', 'two', 'three', 'four']);
});

it('does not advance the position before the lines are stored', async () => {
  let store = () => {};
  const stored = new Promise<void>((resolve) => {
    store = resolve;
  });
  const tail = await start({ flush: () => stored });
  await appendFile(output, 'one\n');
  await expect.poll(() => lines).toEqual(['one']);
  expect(await readFile(join(folder, 'position'), 'utf8')).toBe('');
  store();
  await tail.close();
  expect(Number(await readFile(join(folder, 'position'), 'utf8'))).toBe(4);
});

it('stops reading when the log has no room', async () => {
  await writeFile(output, `${'x'.repeat(1_023)}\n`.repeat(1_024));
  const room = Promise.withResolvers<void>();
  let roomRequests = 0;
  const tail = await start({
    waitForRoom() {
      roomRequests += 1;
      return room.promise;
    },
  });
  await expect.poll(() => roomRequests).toBe(1);
  expect(lines).toHaveLength(32);
  room.resolve();
  await tail.finish();
  expect(lines).toHaveLength(1_024);
});

it('emits an incomplete last line when the app exits', async () => {
  const tail = await start();
  await appendFile(output, 'one\nfinal words');
  await tail.finish();
  expect(lines).toEqual(['one', 'final words']);
});

it('continues when the app truncates its own output', async () => {
  const tail = await start();
  await appendFile(output, 'one two three\n');
  await expect.poll(() => lines).toEqual(['one two three']);
  await truncate(output, 0);
  await appendFile(output, 'new\n');
  await expect.poll(() => lines).toContain('new');
  await tail.close();
});

it('frees the disk space of emitted output, except the end', async () => {
  const freed: number[] = [];
  const tail = await start({ free: async (_, bytes) => void freed.push(bytes) });
  await appendFile(output, `${'x'.repeat(1_023)}\n`.repeat(6 * 1_024));
  await tail.finish();
  expect(lines).toHaveLength(6 * 1_024);
  expect(freed.length).toBeGreaterThan(0);
  expect(freed.at(-1)).toBeLessThanOrEqual(6 * 1_048_576 - 131_072);
});

it('skips output that is too large to read', async () => {
  const tail = await start();
  await appendFile(output, 'one\n');
  await expect.poll(() => lines).toEqual(['one']);
  await truncate(output, 2 ** 42);
  await appendFile(output, '\nlast words\n');
  await tail.finish();
  expect(lines[1]).toMatch(/^… \d+ bytes skipped/);
  expect(lines.at(-1)).toBe('last words');
});

it('stops in the middle of an output that is being read', async () => {
  const text = `${'x'.repeat(1_023)}\n`.repeat(32 * 1_024);
  await writeFile(output, text);
  const tail = await start();
  await expect.poll(() => lines.length).toBeGreaterThan(0);
  await tail.close();
  expect(lines.length).toBeLessThan(32 * 1_024);
});

it('finishes although the file still grows', async () => {
  const more = `${'x'.repeat(16_000)}\n`;
  await writeFile(output, more);
  const tail = await start({ onLine: () => appendFileSync(output, more) });
  await tail.finish();
});

it('reads the last lines of an output with any ending', async () => {
  await writeFile(output, `${'early\n'.repeat(50_000)}\nlate\n\nlast`);
  expect(await readLastLines(output, 2)).toEqual(['late', 'last']);
  expect(await readLastLines(join(folder, 'nothing'), 2)).toEqual([]);
});

function start(changes: Partial<FollowOptions> = {}) {
  return followOutput({
    output,
    position: join(folder, 'position'),
    onLine: (line) => lines.push(line),
    waitForRoom: async () => {},
    flush: async () => {},
    free: async () => {},
    ...changes,
  });
}
