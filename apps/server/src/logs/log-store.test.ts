import { appendFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLogStore, type LogStoreDeps } from './log-store.ts';

const APP = '3f2a91aa-0000-4000-8000-000000000000';
const NAME = 'app-3f2a91-1';
const never = new AbortController().signal;

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'logs-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function openStore(options: Partial<LogStoreDeps> = {}) {
  const folder = options.folder ?? (await temporaryFolder());
  const store = createLogStore({ clock: { now: () => 1_000 }, ...options, folder });
  onTestFinished(() => store.close());
  const texts = async (lines = 1_000) =>
    (await store.tail(APP, lines, never)).map(({ text }) => text);
  return { folder, store, texts };
}

function numbers(from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}`);
}

describe('what is stored', () => {
  it('carries time, name and a growing number', async () => {
    const { store } = await openStore();
    store.append(APP, NAME, 'one');
    store.append(APP, NAME, 'two');
    expect(await store.tail(APP, 10, never)).toEqual([
      { sequence: 1, at: 1_000, name: NAME, text: 'one' },
      { sequence: 2, at: 1_000, name: NAME, text: 'two' },
    ]);
  });

  it('is told apart by app', async () => {
    const { store, texts } = await openStore();
    store.append(APP, NAME, 'mine');
    store.append('another', 'app-anothe-1', 'theirs');
    expect(await texts()).toEqual(['mine']);
  });

  it('can be waited for while more comes in without end', async () => {
    const { store } = await openStore();
    let isWaiting = true;
    const speakOn = () => {
      store.append(APP, NAME, 'and on');
      if (isWaiting) setImmediate(speakOn);
    };
    speakOn();
    onTestFinished(() => {
      isWaiting = false;
    });
    await store.flush();
  });

  it('outlives a restart, and the numbers go on', async () => {
    const { store, folder } = await openStore();
    store.append(APP, NAME, 'before');
    await store.close();
    const again = await openStore({ folder });
    again.store.append(APP, NAME, 'after');
    const lines = await again.store.tail(APP, 10, never);
    expect(lines.map(({ sequence, text }) => `${sequence} ${text}`)).toEqual([
      '1 before',
      '2 after',
    ]);
  });

  it('is readable by nobody else', async () => {
    const { store, folder } = await openStore();
    store.append(APP, NAME, 'one');
    await store.flush();
    expect((await stat(join(folder, APP))).mode & 0o077).toBe(0);
    expect((await stat(join(folder, APP, '1.log'))).mode & 0o077).toBe(0);
  });

  it('survives a line torn by a crash, and is not mixed up with the next one', async () => {
    const { store, folder } = await openStore();
    store.append(APP, NAME, 'whole');
    await store.close();
    await appendFile(join(folder, APP, '1.log'), '2\t1000\tapp-3f2a91-1\tto');
    const again = await openStore({ folder });
    expect(await again.texts()).toEqual(['whole']);
    again.store.append(APP, NAME, 'next');
    expect(await again.texts()).toEqual(['whole', 'next']);
  });

  it('survives a segment of garbage', async () => {
    const { store, folder } = await openStore();
    store.append(APP, NAME, 'whole');
    await store.close();
    await writeFile(join(folder, APP, '50.log'), Buffer.alloc(200_000));
    const again = await openStore({ folder });
    again.store.append(APP, NAME, 'next');
    expect(await again.texts()).toEqual(['whole', 'next']);
    const last = (await again.store.tail(APP, 1, never)).at(-1);
    expect(last?.sequence).toBe(50);
  });

  it('holds no secret', async () => {
    const mask = (appId: string, text: string) =>
      appId === APP ? text.replaceAll('hunter2', '[secret]') : text;
    const { store, folder, texts } = await openStore({ mask });
    store.append(APP, NAME, 'password is hunter2');
    expect(await texts()).toEqual(['password is [secret]']);
    expect(await readFile(join(folder, APP, '1.log'), 'utf8')).not.toContain('hunter2');
  });

  it('never leaves the folder', async () => {
    const { store } = await openStore();
    expect(() => store.append('../elsewhere', NAME, 'x')).toThrow(RangeError);
  });
});

describe('when it gets much', () => {
  it('keeps the newest segments only', async () => {
    const { store, folder, texts } = await openStore({
      limits: { segmentBytes: 100, segments: 3 },
    });
    for (const text of numbers(1, 40)) {
      store.append(APP, NAME, text);
      await store.flush();
    }
    expect(await readdir(join(folder, APP))).toHaveLength(3);
    const kept = await texts();
    expect(kept.at(-1)).toBe('line 40');
    expect(kept.length).toBeLessThan(20);
  });

  it('finds the tail over the borders of segments, and no more than asked for', async () => {
    const { store, texts } = await openStore({ limits: { segmentBytes: 100, segments: 100 } });
    for (const text of numbers(1, 40)) {
      store.append(APP, NAME, text);
      await store.flush();
    }
    expect(await texts(17)).toEqual(numbers(24, 40));
    expect(await texts(0)).toEqual([]);
    expect(await texts(1_000)).toEqual(numbers(1, 40));
  });

  it('finds a tail longer than its first look', async () => {
    const { store, texts } = await openStore();
    const long = 'x'.repeat(1_000);
    for (const text of numbers(1, 500)) store.append(APP, NAME, `${text} ${long}`);
    expect(await texts(400)).toEqual(numbers(101, 500).map((text) => `${text} ${long}`));
  });

  it('drops what finds no room, says how many, and goes on', async () => {
    const { store, texts } = await openStore({ limits: { lines: 100 } });
    for (const text of numbers(1, 50_000)) store.append(APP, NAME, text);
    const kept = await texts();
    expect(kept.slice(0, 100)).toEqual(numbers(1, 100));
    expect(kept[100]).toContain('49900 lines were dropped');
    store.append(APP, NAME, 'later');
    expect((await texts()).at(-1)).toBe('later');
  });

  it('tells of lines that the disk refused, once it takes some again', async () => {
    const folder = join(await temporaryFolder(), 'blocked');
    await writeFile(folder, 'a file where the folder should be');
    const reported: unknown[] = [];
    const { store, texts } = await openStore({ folder, report: (error) => reported.push(error) });
    store.append(APP, NAME, 'lost');
    await store.flush();
    expect(reported).toHaveLength(1);
    await rm(folder);
    store.append(APP, NAME, 'kept');
    expect(await texts()).toEqual(['kept', expect.stringContaining('1 line was dropped')]);
  });
});

describe('the words asked for as evidence', () => {
  it('are those of the app, not of its builds', async () => {
    const { store } = await openStore();
    store.append(APP, NAME, 'first');
    store.append(APP, NAME, 'second');
    store.append(APP, 'app-3f2a91-build-2', 'compiling');
    store.append(APP, 'app-3f2a91-2', 'of the next run');
    expect(await store.lastLines(APP, NAME, 1)).toEqual(['second']);
    expect(await store.lastLines(APP, 'app-3f2a91-3', 1)).toEqual([]);
  });

  it('may be those of the run before', async () => {
    const { store } = await openStore();
    store.append(APP, NAME, 'crashed');
    store.append(APP, 'app-3f2a91-2', 'started again');
    const lines = await store.previous(APP, 10, never);
    expect(lines.map(({ text }) => text)).toEqual(['crashed']);
  });

  it('are none for an app that never spoke', async () => {
    const { store, texts } = await openStore();
    expect(await texts()).toEqual([]);
    expect(await store.previous(APP, 10, never)).toEqual([]);
  });
});

describe('a removed app', () => {
  it('leaves nothing, and late lines bring nothing back', async () => {
    const { store, folder } = await openStore();
    store.append(APP, NAME, 'one');
    await store.remove(APP);
    store.append(APP, NAME, 'late');
    await store.flush();
    expect(await readdir(folder)).toEqual([]);
  });
});
