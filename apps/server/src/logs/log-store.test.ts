import { appendFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  APP,
  BUILD,
  describeStorages,
  filesIn,
  NAME,
  OTHER_APP,
  openStore as openFiles,
  temporaryFolder,
} from '../../test/logs/log-fixture.ts';

function numbers(from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}`);
}

describeStorages('a log store', (openStore) => {
  describe('a stored line', () => {
    it('has time, name and a growing sequence number', async () => {
      const { store, read } = await openStore();
      store.append(APP, NAME, 'one');
      store.append(APP, NAME, 'two');
      expect(await read()).toEqual([
        { sequence: 1, at: 1_000, name: NAME, text: 'one' },
        { sequence: 2, at: 1_000, name: NAME, text: 'two' },
      ]);
    });

    it('is returned for its own app only', async () => {
      const { store, texts } = await openStore();
      store.append(APP, NAME, 'own line');
      store.append(OTHER_APP, 'app-0badca-1', 'line of another app');
      expect(await texts()).toEqual(['own line']);
    });

    it('can be waited for while more lines arrive', async () => {
      const { store } = await openStore();
      let isWaiting = true;
      const appendRepeatedly = () => {
        store.append(APP, NAME, 'more');
        if (isWaiting) setImmediate(appendRepeatedly);
      };
      appendRepeatedly();
      onTestFinished(() => {
        isWaiting = false;
      });
      await store.flush(APP);
    });

    it('survives a restart, and numbering continues', async () => {
      const { store, place } = await openStore();
      store.append(APP, NAME, 'before');
      await store.close();
      const reopened = await openStore({ place });
      reopened.store.append(APP, NAME, 'after');
      const lines = await reopened.read();
      expect(lines.map(({ sequence, text }) => `${sequence} ${text}`)).toEqual([
        '1 before',
        '2 after',
      ]);
    });

    it('does not contain secrets of its app', async () => {
      const secretsOf = async (appId: string) => (appId === APP ? ['hunter2'] : []);
      const { store, storage, texts } = await openStore({ secretsOf });
      store.append(APP, NAME, 'password is hunter2');
      expect(await texts()).toEqual(['password is [secret]']);
      const stored = await storage
        .of(APP, 'output')
        .readRange('.', 1, { start: 0, maxBytes: 1_000 });
      expect(stored?.bytes.toString()).toContain('[secret]');
      expect(stored?.bytes.toString()).not.toContain('hunter2');
    });

    it('is masked with the secrets reloaded by prepareLog', async () => {
      let secret = 'hunter2';
      const { store, texts } = await openStore({ secretsOf: async () => [secret] });
      store.append(APP, NAME, 'hunter2 hunter3');
      await store.flush(APP);
      secret = 'hunter3';
      store.prepareLog(APP);
      store.append(APP, NAME, 'hunter2 hunter3');
      expect(await texts()).toEqual(['[secret] hunter3', 'hunter2 [secret]']);
    });

    it('is not written before the secrets are known', async () => {
      let isUnavailable = true;
      const reported: unknown[] = [];
      const { store, segments, texts } = await openStore({
        report: (error) => reported.push(error),
        async secretsOf() {
          if (isUnavailable) throw new Error('The database is unavailable');
          return ['hunter2'];
        },
      });
      store.append(APP, NAME, 'hunter2');
      await expect.poll(() => reported.length).toBeGreaterThan(0);
      expect(await segments()).toEqual([]);
      isUnavailable = false;
      expect(await texts()).toEqual(['[secret]']);
    });

    it('cannot be written for an invalid id', async () => {
      const { store } = await openStore();
      expect(() => store.append('../elsewhere', NAME, 'x')).toThrow(RangeError);
    });
  });

  describe('a store with many lines', () => {
    it('deletes the oldest segments', async () => {
      const { store, segments, texts } = await openStore({
        limits: { segmentBytes: 100, segments: 3 },
      });
      for (const text of numbers(1, 40)) {
        store.append(APP, NAME, text);
        await store.flush(APP);
      }
      expect(await segments()).toHaveLength(3);
      const stored = await texts();
      expect(stored.at(-1)).toBe('line 40');
      expect(stored.length).toBeLessThan(20);
    });

    it('reads a tail that spans segments', async () => {
      const { store, texts } = await openStore({ limits: { segmentBytes: 100, segments: 100 } });
      for (const text of numbers(1, 40)) {
        store.append(APP, NAME, text);
        await store.flush(APP);
      }
      expect(await texts(17)).toEqual(numbers(24, 40));
      expect(await texts(0)).toEqual([]);
      expect(await texts(1_000)).toEqual(numbers(1, 40));
    });

    it('reads a tail longer than its first window', async () => {
      const { store, texts } = await openStore();
      const long = 'x'.repeat(1_000);
      for (const text of numbers(1, 500)) store.append(APP, NAME, `${text} ${long}`);
      expect(await texts(400)).toEqual(numbers(101, 500).map((text) => `${text} ${long}`));
    });

    it('never exceeds its disk limit, however many lines arrive at once', async () => {
      const { store, storage } = await openStore({ limits: { segmentBytes: 10_000, segments: 4 } });
      for (const text of numbers(1, 20_000)) store.append(APP, NAME, text);
      await store.flush(APP);
      const bytes = await storage.of(APP, 'output').bytesOf('.');
      expect(bytes).toBeGreaterThan(3 * 10_000);
      expect(bytes).toBeLessThan(4 * 10_000 + 4 * 100);
    });

    it('drops no line of a caller that waits for room', async () => {
      const { store, read } = await openStore({ limits: { lines: 100 } });
      for (const text of numbers(1, 5_000)) {
        await store.waitForRoom(APP);
        store.append(APP, NAME, text);
      }
      const stored = await read({ tailLines: 10_000 });
      expect(stored.map(({ text }) => text)).toEqual(numbers(1, 5_000));
    });

    it('does not let one app delay another', async () => {
      const secrets = Promise.withResolvers<string[]>();
      const { store, texts } = await openStore({
        secretsOf: (appId) => (appId === APP ? Promise.resolve([]) : secrets.promise),
      });
      store.append(OTHER_APP, 'app-0badca-1', 'delayed');
      store.append(APP, NAME, 'own line');
      await store.flush(APP);
      expect(await texts()).toEqual(['own line']);
      secrets.resolve([]);
    });

    it('drops lines without room, stores their number, and continues', async () => {
      const { store, texts } = await openStore({ limits: { lines: 100 } });
      for (const text of numbers(1, 50_000)) store.append(APP, NAME, text);
      const stored = await texts();
      expect(stored.slice(0, 100)).toEqual(numbers(1, 100));
      expect(stored[100]).toMatch(/^… 49,900 lines were dropped/);
      store.append(APP, NAME, 'later');
      expect((await texts()).at(-1)).toBe('later');
    });
  });

  describe('lines of a build', () => {
    const limits = { segmentBytes: 200, segments: 2, buildSegments: 2, builds: 2 };
    const buildNamed = (release: number) => `app-3f2a91-build-${release}`;

    it('are read together with those of the app in their original order', async () => {
      const { store, texts } = await openStore();
      for (const text of numbers(1, 3_000)) {
        store.append(APP, Math.random() < 0.5 ? NAME : BUILD, text);
        if (Math.random() < 0.01) await store.flush(APP);
      }
      expect(await texts(10_000)).toEqual(numbers(1, 3_000));
      expect(await texts(1_234)).toEqual(numbers(1_767, 3_000));
    });

    it('are not deleted by rotation of app lines, and vice versa', async () => {
      const { store, read } = await openStore({ limits });
      store.append(APP, BUILD, 'compiled');
      for (const text of numbers(1, 500)) store.append(APP, NAME, text);
      for (const text of numbers(1, 500)) store.append(APP, buildNamed(2), text);
      const found = await read();
      const textsOf = (logName: string) =>
        found.flatMap(({ name, text }) => (name === logName ? text : []));
      expect(textsOf(BUILD)).toEqual(['compiled']);
      expect(textsOf(NAME).at(-1)).toBe('line 500');
      expect(textsOf(buildNamed(2)).at(-1)).toBe('line 500');
    });

    it('are stored for the newest builds only', async () => {
      const { store, streams, texts } = await openStore({ limits });
      for (const release of [8, 9, 10, 11]) {
        store.append(APP, buildNamed(release), `build ${release}`);
        await store.flush(APP);
      }
      expect(await streams()).toEqual(['build-10', 'build-11']);
      expect(await texts()).toEqual(['build 10', 'build 11']);
    });

    it('survive a restart, and numbering continues after them', async () => {
      const { store, place } = await openStore();
      store.append(APP, NAME, 'one');
      store.append(APP, BUILD, 'two');
      await store.close();
      const reopened = await openStore({ place });
      reopened.store.append(APP, NAME, 'three');
      const lines = await reopened.read();
      expect(lines.map(({ sequence, text }) => [sequence, text])).toEqual([
        [1, 'one'],
        [2, 'two'],
        [3, 'three'],
      ]);
    });

    it('are read of one instance only, however much others write after it', async () => {
      const { store, read } = await openStore();
      const serving = 'app-3f2a91-1';
      for (const text of ['one', 'two', 'three']) store.append(APP, serving, text);
      for (let line = 0; line < 500; line += 1) store.append(APP, 'app-3f2a91-12', 'crashed');
      store.append(APP, BUILD, 'compiling');
      const textsOf = async (query: object) =>
        (await read({ instance: serving, ...query })).map(({ text }) => text);
      expect(await textsOf({})).toEqual(['one', 'two', 'three']);
      expect(await textsOf({ tailLines: 2 })).toEqual(['two', 'three']);
      expect(await textsOf({ after: 1 })).toEqual(['two', 'three']);
      expect(await textsOf({ instance: 'app-3f2a91-2' })).toEqual([]);
    });

    it('can be read separately, for all builds or for one', async () => {
      const { store, read } = await openStore();
      store.append(APP, BUILD, 'first');
      store.append(APP, NAME, 'running');
      store.append(APP, buildNamed(2), 'second');
      const textsOf = async (query: Parameters<typeof read>[0]) =>
        (await read(query)).map(({ text }) => text);
      expect(await textsOf({ kind: 'build' })).toEqual(['first', 'second']);
      expect(await textsOf({ kind: 'build', tailLines: 1 })).toEqual(['second']);
      expect(await textsOf({ kind: 'app' })).toEqual(['running']);
      expect(await textsOf({ release: 2 })).toEqual(['second']);
      expect(await textsOf({ release: 3 })).toEqual([]);
    });
  });

  describe('lines after a given sequence number', () => {
    it('are all later lines, across a restart', async () => {
      const { store, place } = await openStore();
      for (const text of numbers(1, 300)) store.append(APP, NAME, text);
      await store.close();
      const reopened = await openStore({ place });
      reopened.store.append(APP, BUILD, 'line 301');
      const since = async (after: number) =>
        (await reopened.read({ after, tailLines: 1 })).map(({ text }) => text);
      expect(await since(100)).toEqual(numbers(101, 301));
      expect(await since(301)).toEqual([]);
      expect(await since(9_999)).toEqual([]);
    });
  });

  describe('the output of a command', () => {
    it('is sent only to those who ask for it', async () => {
      const { store, read } = await openStore();
      const texts = async (query: Parameters<typeof read>[0]) =>
        (await read({ tailLines: 100, ...query })).map(({ text }) => text);
      store.append(APP, NAME, 'of the app');
      store.append(APP, 'app-3f2a91-command-1', 'of the first');
      store.append(APP, 'app-3f2a91-command-2', 'of the second');
      store.append(APP, BUILD, 'of a build');
      expect(await texts({})).toEqual(['of the app', 'of a build']);
      expect(await texts({ kind: 'build' })).toEqual(['of a build']);
      expect(await texts({ command: 1 })).toEqual(['of the first']);
      expect(await texts({ kind: 'command' })).toEqual(['of the first', 'of the second']);
      expect((await store.kept(APP)).kinds).toEqual(['app', 'build']);
    });

    it('is kept for the newest commands', async () => {
      const { store, read } = await openStore({ limits: { commands: 2 } });
      for (const number of [1, 2, 3]) {
        store.append(APP, `app-3f2a91-command-${number}`, `line of ${number}`);
        await store.flush(APP);
      }
      const found = await read({ tailLines: 100, kind: 'command' });
      expect(found.map(({ text }) => text)).toEqual(['line of 2', 'line of 3']);
    });
  });

  describe('lines of a single run', () => {
    it('do not include builds', async () => {
      const { store } = await openStore();
      store.append(APP, NAME, 'first');
      store.append(APP, NAME, 'second');
      store.append(APP, 'app-3f2a91-build-2', 'compiling');
      store.append(APP, 'app-3f2a91-2', 'of the next run');
      expect(await store.lastLines(APP, NAME, 1)).toEqual(['second']);
      expect(await store.lastLines(APP, 'app-3f2a91-3', 1)).toEqual([]);
      store.append(APP, 'app-3f2a91-build-7', 'built');
      store.append(APP, NAME, 'third');
      expect(await store.lastLines(APP, 'app-3f2a91-build-7', 1)).toEqual(['built']);
    });

    it('can be those of the previous run', async () => {
      const { store, read } = await openStore();
      store.append(APP, NAME, 'early');
      store.append(APP, NAME, 'crashed');
      store.append(APP, BUILD, 'compiling');
      store.append(APP, 'app-3f2a91-2', 'started again');
      store.append(APP, NAME, 'late line');
      const textsOf = async (tailLines: number) =>
        (await read({ previous: true, tailLines })).map(({ text }) => text);
      expect(await textsOf(10)).toEqual(['early', 'crashed', 'late line']);
      expect(await textsOf(2)).toEqual(['crashed', 'late line']);
      expect(await textsOf(0)).toEqual([]);
    });

    it('are none for an app without lines', async () => {
      const { read, texts } = await openStore();
      expect(await texts()).toEqual([]);
      expect(await read({ previous: true })).toEqual([]);
    });
  });

  describe('a removed app', () => {
    it('leaves nothing, and late lines do not create it again', async () => {
      const { store, segments, streams } = await openStore();
      store.append(APP, NAME, 'one');
      await store.remove(APP);
      store.append(APP, NAME, 'late');
      await store.flush(APP);
      expect(await segments()).toEqual([]);
      expect(await streams()).toEqual([]);
    });

    it('is logged again after prepareLog', async () => {
      const { store, read } = await openStore();
      store.append(APP, NAME, 'one');
      await store.remove(APP);
      store.prepareLog(APP);
      store.append(APP, NAME, 'again');
      expect(await read()).toMatchObject([{ sequence: 1, text: 'again' }]);
    });
  });
});

describe('a log store in files', () => {
  it('is readable by its owner only', async () => {
    const { store, folder } = await openFiles();
    store.append(APP, NAME, 'one');
    await store.flush(APP);
    expect((await stat(join(folder, APP))).mode & 0o077).toBe(0);
    expect((await stat(join(folder, APP, '1.log'))).mode & 0o077).toBe(0);
  });

  it('survives an incomplete line left by a crash, which is removed', async () => {
    const { store, folder } = await openFiles();
    store.append(APP, NAME, 'whole');
    await store.close();
    await appendFile(join(folder, APP, '1.log'), '2\t1000\tapp-3f2a91-1\tto');
    const reopened = await openFiles({ place: filesIn(folder) });
    expect(await reopened.texts()).toEqual(['whole']);
    reopened.store.append(APP, NAME, 'next');
    expect(await reopened.texts()).toEqual(['whole', 'next']);
  });

  it('survives a corrupt segment', async () => {
    const { store, folder } = await openFiles();
    store.append(APP, NAME, 'whole');
    await store.close();
    await writeFile(join(folder, APP, '50.log'), Buffer.alloc(200_000));
    const reopened = await openFiles({ place: filesIn(folder) });
    reopened.store.append(APP, NAME, 'next');
    expect(await reopened.texts()).toEqual(['whole', 'next']);
    const last = (await reopened.read({ tailLines: 1 })).at(-1);
    expect(last?.sequence).toBe(50);
  });

  it('reports lines that could not be written, once writing works again', async () => {
    const folder = join(await temporaryFolder(), 'blocked');
    await writeFile(folder, 'a file where the folder should be');
    const reported: unknown[] = [];
    const { store, texts } = await openFiles({
      place: filesIn(folder),
      report: (error) => reported.push(error),
    });
    store.append(APP, NAME, 'not stored');
    await store.flush(APP);
    expect(reported).toHaveLength(1);
    await rm(folder);
    store.append(APP, NAME, 'stored');
    expect(await texts()).toEqual(['stored', expect.stringContaining('1 line was dropped')]);
  });

  it('leaves no folder of a removed app', async () => {
    const { store, folder } = await openFiles();
    store.append(APP, NAME, 'one');
    store.appendAccess(APP, [{ at: 1, text: 'GET /' }]);
    await store.flush(APP);
    expect(await readdir(folder)).toEqual([APP]);
    await store.remove(APP);
    expect(await readdir(folder)).toEqual([]);
  });
});
