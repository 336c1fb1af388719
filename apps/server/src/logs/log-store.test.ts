import { appendFile, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { APP, BUILD, NAME, openStore, temporaryFolder } from '../../test/logs/log-fixture.ts';

function numbers(from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}`);
}

describe('what is stored', () => {
  it('carries time, name and a growing number', async () => {
    const { store, read } = await openStore();
    store.append(APP, NAME, 'one');
    store.append(APP, NAME, 'two');
    expect(await read()).toEqual([
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
    await store.flush(APP);
  });

  it('outlives a restart, and the numbers go on', async () => {
    const { store, folder } = await openStore();
    store.append(APP, NAME, 'before');
    await store.close();
    const again = await openStore({ folder });
    again.store.append(APP, NAME, 'after');
    const lines = await again.read();
    expect(lines.map(({ sequence, text }) => `${sequence} ${text}`)).toEqual([
      '1 before',
      '2 after',
    ]);
  });

  it('is readable by nobody else', async () => {
    const { store, folder } = await openStore();
    store.append(APP, NAME, 'one');
    await store.flush(APP);
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
    const last = (await again.read({ tailLines: 1 })).at(-1);
    expect(last?.sequence).toBe(50);
  });

  it('holds no secret of its app', async () => {
    const secretsOf = async (appId: string) => (appId === APP ? ['hunter2'] : []);
    const { store, folder, texts } = await openStore({ secretsOf });
    store.append(APP, NAME, 'password is hunter2');
    expect(await texts()).toEqual(['password is [secret]']);
    expect(await readFile(join(folder, APP, '1.log'), 'utf8')).not.toContain('hunter2');
  });

  it('holds none of the secrets that its app has since it began anew', async () => {
    let secret = 'hunter2';
    const { store, texts } = await openStore({ secretsOf: async () => [secret] });
    store.append(APP, NAME, 'hunter2 hunter3');
    await store.flush(APP);
    secret = 'hunter3';
    store.begin(APP);
    store.append(APP, NAME, 'hunter2 hunter3');
    expect(await texts()).toEqual(['[secret] hunter3', 'hunter2 [secret]']);
  });

  it('waits until it is known what is secret', async () => {
    let isAway = true;
    const reported: unknown[] = [];
    const { store, folder, texts } = await openStore({
      report: (error) => reported.push(error),
      async secretsOf() {
        if (isAway) throw new Error('The database is away');
        return ['hunter2'];
      },
    });
    store.append(APP, NAME, 'hunter2');
    await expect.poll(() => reported.length).toBeGreaterThan(0);
    expect(await readdir(folder)).toEqual([]);
    isAway = false;
    expect(await texts()).toEqual(['[secret]']);
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
      await store.flush(APP);
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
      await store.flush(APP);
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

  it('never takes more of the disk than it may, however much comes at once', async () => {
    const { store, folder } = await openStore({ limits: { segmentBytes: 10_000, segments: 4 } });
    for (const text of numbers(1, 20_000)) store.append(APP, NAME, text);
    await store.flush(APP);
    const names = await readdir(join(folder, APP));
    const sizes = await Promise.all(names.map((name) => stat(join(folder, APP, name))));
    expect(sizes.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(4 * 10_000 + 4 * 100);
  });

  it('lets who can wait lose nothing', async () => {
    const { store, read } = await openStore({ limits: { lines: 100 } });
    for (const text of numbers(1, 5_000)) {
      await store.room(APP);
      store.append(APP, NAME, text);
    }
    const kept = await read({ tailLines: 10_000 });
    expect(kept.map(({ text }) => text)).toEqual(numbers(1, 5_000));
  });

  it('does not let one app wait for another', async () => {
    const told = Promise.withResolvers<string[]>();
    const { store, texts } = await openStore({
      secretsOf: (appId) => (appId === APP ? Promise.resolve([]) : told.promise),
    });
    store.append('another', 'app-anothe-1', 'for long');
    store.append(APP, NAME, 'mine');
    await store.flush(APP);
    expect(await texts()).toEqual(['mine']);
    told.resolve([]);
  });

  it('drops what finds no room, says how many, and goes on', async () => {
    const { store, texts } = await openStore({ limits: { lines: 100 } });
    for (const text of numbers(1, 50_000)) store.append(APP, NAME, text);
    const kept = await texts();
    expect(kept.slice(0, 100)).toEqual(numbers(1, 100));
    expect(kept[100]).toMatch(/^… 49,900 lines were dropped/);
    store.append(APP, NAME, 'later');
    expect((await texts()).at(-1)).toBe('later');
  });

  it('tells of lines that the disk refused, once it takes some again', async () => {
    const folder = join(await temporaryFolder(), 'blocked');
    await writeFile(folder, 'a file where the folder should be');
    const reported: unknown[] = [];
    const { store, texts } = await openStore({ folder, report: (error) => reported.push(error) });
    store.append(APP, NAME, 'lost');
    await store.flush(APP);
    expect(reported).toHaveLength(1);
    await rm(folder);
    store.append(APP, NAME, 'kept');
    expect(await texts()).toEqual(['kept', expect.stringContaining('1 line was dropped')]);
  });
});

describe('the lines of a build', () => {
  const limits = { segmentBytes: 200, segments: 2, buildSegments: 2, builds: 2 };
  const buildNamed = (release: number) => `app-3f2a91-build-${release}`;

  it('stand between those of the app in the order they came', async () => {
    const { store, texts } = await openStore();
    for (const text of numbers(1, 3_000)) {
      store.append(APP, Math.random() < 0.5 ? NAME : BUILD, text);
      if (Math.random() < 0.01) await store.flush(APP);
    }
    expect(await texts(10_000)).toEqual(numbers(1, 3_000));
    expect(await texts(1_234)).toEqual(numbers(1_767, 3_000));
  });

  it('are not pushed out by an app that never falls silent, nor push out its lines', async () => {
    const { store, read } = await openStore({ limits });
    store.append(APP, BUILD, 'compiled');
    for (const text of numbers(1, 500)) store.append(APP, NAME, text);
    for (const text of numbers(1, 500)) store.append(APP, buildNamed(2), text);
    const found = await read();
    const textsOf = (wanted: string) =>
      found.flatMap(({ name, text }) => (name === wanted ? text : []));
    expect(textsOf(BUILD)).toEqual(['compiled']);
    expect(textsOf(NAME).at(-1)).toBe('line 500');
    expect(textsOf(buildNamed(2)).at(-1)).toBe('line 500');
  });

  it('are kept of the newest builds only', async () => {
    const { store, folder, texts } = await openStore({ limits });
    for (const release of [8, 9, 10, 11]) {
      store.append(APP, buildNamed(release), `build ${release}`);
      await store.flush(APP);
    }
    expect((await readdir(join(folder, APP))).sort()).toEqual(['build-10', 'build-11']);
    expect(await texts()).toEqual(['build 10', 'build 11']);
  });

  it('outlive a restart, and the numbers go on behind them', async () => {
    const { store, folder } = await openStore();
    store.append(APP, NAME, 'one');
    store.append(APP, BUILD, 'two');
    await store.close();
    const again = await openStore({ folder });
    again.store.append(APP, NAME, 'three');
    const lines = await again.read();
    expect(lines.map(({ sequence, text }) => [sequence, text])).toEqual([
      [1, 'one'],
      [2, 'two'],
      [3, 'three'],
    ]);
  });

  it('can be asked for alone, of all builds or of one', async () => {
    const { store, read } = await openStore();
    store.append(APP, BUILD, 'first');
    store.append(APP, NAME, 'running');
    store.append(APP, buildNamed(2), 'second');
    const textsOf = async (wish: Parameters<typeof read>[0]) =>
      (await read(wish)).map(({ text }) => text);
    expect(await textsOf({ kind: 'build' })).toEqual(['first', 'second']);
    expect(await textsOf({ kind: 'build', tailLines: 1 })).toEqual(['second']);
    expect(await textsOf({ kind: 'app' })).toEqual(['running']);
    expect(await textsOf({ release: 2 })).toEqual(['second']);
    expect(await textsOf({ release: 3 })).toEqual([]);
  });
});

describe('lines after one that is known', () => {
  it('are all that came since, across a restart', async () => {
    const { store, folder } = await openStore();
    for (const text of numbers(1, 300)) store.append(APP, NAME, text);
    await store.close();
    const again = await openStore({ folder });
    again.store.append(APP, BUILD, 'line 301');
    const since = async (after: number) =>
      (await again.read({ after, tailLines: 1 })).map(({ text }) => text);
    expect(await since(100)).toEqual(numbers(101, 301));
    expect(await since(301)).toEqual([]);
    expect(await since(9_999)).toEqual([]);
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
    const { store, read } = await openStore();
    store.append(APP, NAME, 'early');
    store.append(APP, NAME, 'crashed');
    store.append(APP, BUILD, 'compiling');
    store.append(APP, 'app-3f2a91-2', 'started again');
    store.append(APP, NAME, 'late word');
    const textsOf = async (tailLines: number) =>
      (await read({ previous: true, tailLines })).map(({ text }) => text);
    expect(await textsOf(10)).toEqual(['early', 'crashed', 'late word']);
    expect(await textsOf(2)).toEqual(['crashed', 'late word']);
    expect(await textsOf(0)).toEqual([]);
  });

  it('are none for an app that never spoke', async () => {
    const { read, texts } = await openStore();
    expect(await texts()).toEqual([]);
    expect(await read({ previous: true })).toEqual([]);
  });
});

describe('a removed app', () => {
  it('leaves nothing, and late lines bring nothing back', async () => {
    const { store, folder } = await openStore();
    store.append(APP, NAME, 'one');
    await store.remove(APP);
    store.append(APP, NAME, 'late');
    await store.flush(APP);
    expect(await readdir(folder)).toEqual([]);
  });

  it('speaks again once it is wished for again', async () => {
    const { store, read } = await openStore();
    store.append(APP, NAME, 'one');
    await store.remove(APP);
    store.begin(APP);
    store.append(APP, NAME, 'again');
    expect(await read()).toMatchObject([{ sequence: 1, text: 'again' }]);
  });
});
