import { describe, expect, it, onTestFinished } from 'vitest';
import { startDatabaseProxy } from '../../test/db/database-proxy.ts';
import { APP, BUILD, NAME, openStore, setUpLogDatabase } from '../../test/logs/log-fixture.ts';
import { createDatabase, createPool } from '../db/database.ts';
import type { LogStorage, LogWrite } from './log-storage.ts';
import type { LogStore } from './log-store.ts';
import { createLogTables } from './log-tables.ts';

const neverAborted = new AbortController().signal;
const { emptyPlace, pool, connection } = setUpLogDatabase();

/** Two servers on one database. The first one writes. */
async function openServers() {
  const place = await emptyPlace();
  const first = await openStore({ place });
  const second = await openStore({ place, isReader: true });
  return { place, first, second };
}

/** What a follower receives, from the first line on. */
async function follow(store: LogStore): Promise<string[]> {
  const client = new AbortController();
  const query = { after: 0, tailLines: 0, follow: true, previous: false };
  const batches = (await store.open(APP, query, neverAborted))(client.signal);
  const received: string[] = [];
  const reading = (async () => {
    for await (const records of batches) received.push(...records.map(({ text }) => text));
    received.push('(end)');
  })();
  onTestFinished(async () => {
    client.abort();
    await reading;
  });
  return received;
}

async function seen(received: string[], expected: string[]): Promise<void> {
  await expect.poll(() => received, { timeout: 20_000 }).toEqual(expected);
}

const sequenced = (records: { sequence: number; text: string }[]) =>
  records.map(({ sequence, text }) => `${sequence} ${text}`);

describe('the logs of two servers', () => {
  it('are followed on the one that does not write', async () => {
    const { first, second } = await openServers();
    const received = await follow(second.store);
    first.store.append(APP, NAME, 'one');
    await seen(received, ['one']);
    first.store.append(APP, BUILD, 'two');
    await seen(received, ['one', 'two']);
    expect(await second.texts()).toEqual(['one', 'two']);
  });

  it('continue without a gap when the other server becomes the writer, and back', async () => {
    const { first, second } = await openServers();
    const received = [await follow(first.store), await follow(second.store)];
    first.store.append(APP, NAME, 'one');
    await first.store.flush(APP);
    await second.store.resume();
    second.store.append(APP, NAME, 'two');
    second.store.append(APP, BUILD, 'three');
    await second.store.flush(APP);
    await first.store.resume();
    first.store.append(APP, NAME, 'four');
    await first.store.flush(APP);
    for (const { read } of [first, second]) {
      expect(sequenced(await read())).toEqual(['1 one', '2 two', '3 three', '4 four']);
    }
    for (const texts of received) await seen(texts, ['one', 'two', 'three', 'four']);
  });

  it('get nothing more from a former writer, which does not notice yet', async () => {
    const { first, second } = await openServers();
    first.store.append(APP, NAME, 'one');
    await first.store.flush(APP);
    await second.store.resume();
    first.store.append(APP, NAME, 'late');
    first.store.append('11111111-0000-4000-8000-000000000000', NAME, 'late line of a new app');
    await first.store.flush(APP);
    await first.store.flush('11111111-0000-4000-8000-000000000000');
    second.store.append(APP, NAME, 'two');
    expect(sequenced(await second.read())).toEqual(['1 one', '2 two']);
    const { rows } = await pool().query('select app_id from deploy.logs');
    expect(rows).toEqual([{ app_id: APP }]);
  });

  it('store no line twice while both believe to be the writer', async () => {
    const { first, second, place } = await openServers();
    const writers = [first.store, second.store];
    let next = 0;
    for (let round = 0; round < 40; round += 1) {
      const taker = writers[round % 2] as LogStore;
      const resuming = taker.resume();
      for (const writer of writers) writer.append(APP, NAME, `line ${next++}`);
      await resuming;
      taker.append(APP, NAME, `taken ${round}`);
      await Promise.all(writers.map((writer) => writer.flush(APP)));
    }
    const reader = await openStore({ place, isReader: true });
    const lines = await reader.read();
    expect(lines.map(({ sequence }) => sequence)).toEqual(lines.map((_, index) => index + 1));
    expect(new Set(lines.map(({ text }) => text)).size).toBe(lines.length);
    const taken = lines.flatMap(({ text }) => (text.startsWith('taken') ? text : []));
    expect(taken).toEqual(Array.from({ length: 40 }, (_, round) => `taken ${round}`));
  });

  it('end for a follower on the other server when the app is removed', async () => {
    const { first, second } = await openServers();
    first.store.append(APP, NAME, 'one');
    first.store.appendAccess(APP, [{ at: 1, text: 'GET /' }]);
    const received = await follow(second.store);
    await seen(received, ['one']);
    await first.store.remove(APP);
    await seen(received, ['one', '(end)']);
    expect(await second.texts()).toEqual([]);
    for (const table of ['logs', 'log_streams', 'log_chunks']) {
      expect((await pool().query(`select from deploy.${table}`)).rowCount).toBe(0);
    }
    first.store.prepareLog(APP);
    first.store.append(APP, NAME, 'again');
    await first.store.flush(APP);
    expect(sequenced(await second.read())).toEqual(['1 again']);
  });

  it('are found again by followers after lost notifications', async () => {
    const place = await emptyPlace();
    const first = await openStore({ place });
    let notifyMissed = () => {};
    const second = await openStore({
      place,
      isReader: true,
      listen(listener) {
        notifyMissed = () => listener({ kind: 'missed' });
        return () => {};
      },
    });
    const received = await follow(second.store);
    first.store.append(APP, NAME, 'one');
    await first.store.flush(APP);
    notifyMissed();
    await seen(received, ['one']);
  });
});

describe('a change of the writer', () => {
  const waitingLocks = `from pg_locks where not granted
    and pid in (select pid from pg_stat_activity where datname = current_database())`;

  async function waitingCount(condition: string): Promise<number> {
    return (await pool().query(`select ${waitingLocks} and ${condition}`)).rows.length;
  }

  it('waits for a write, but not for a vacuum of the lines or a backup', async () => {
    const { first, second } = await openServers();
    // So many that Postgres does not plan the statement again each time.
    const lines = Array.from({ length: 10 }, (_, index) => `line ${index}`);
    for (const text of lines) {
      first.store.append(APP, NAME, text);
      await first.store.flush(APP);
    }
    const other = await pool().connect();
    try {
      await other.query('begin');
      await other.query(`lock table deploy.logs, deploy.log_streams, deploy.log_chunks
        in share update exclusive mode`);
      await other.query('lock table deploy.log_writer in access share mode');
      await first.store.resume();
      await other.query('select from deploy.logs for update');
      first.store.append(APP, NAME, 'slow');
      await expect.poll(() => waitingCount(`locktype = 'transactionid'`)).toBe(1);
      const resuming = second.store.resume();
      await expect
        .poll(() => waitingCount(`relation = 'deploy.log_writer'::regclass`), { timeout: 10_000 })
        .toBe(1);
      await other.query('commit');
      await resuming;
    } finally {
      other.release(true);
    }
    second.store.append(APP, NAME, 'next');
    expect(await second.texts()).toEqual([...lines, 'slow', 'next']);
  });

  it('ends what a former writer could not store, also when it becomes the writer again', async () => {
    const place = await emptyPlace();
    const tables = place.openStorage();
    let isDown = false;
    const reported: unknown[] = [];
    const storage: LogStorage = {
      ...tables,
      of(appId, kind) {
        const segments = tables.of(appId, kind);
        async function append(write: LogWrite): Promise<void> {
          if (isDown) throw new Error('Connection terminated unexpectedly');
          await segments.append(write);
        }
        return { ...segments, append };
      },
      async resume() {
        await tables.resume();
        isDown = false;
      },
    };
    const first = await openStore({ place, storage, report: (error) => reported.push(error) });
    const second = await openStore({ place, isReader: true });
    isDown = true;
    first.store.append(APP, NAME, 'lost');
    await expect.poll(() => reported).toHaveLength(1);
    await second.store.resume();
    second.store.append(APP, NAME, 'one');
    await second.store.flush(APP);
    await first.store.resume();
    await first.store.flush(APP);
    first.store.append(APP, NAME, 'two');
    expect(await first.texts()).toEqual(['one', 'two']);
  });
});

describe('stored chunks', () => {
  async function chunksOfSegments(): Promise<number[]> {
    const { rows } = await pool().query<{ chunks: number }>(
      'select count(*)::int as chunks from deploy.log_chunks group by segment order by segment',
    );
    return rows.map(({ chunks }) => chunks);
  }

  it.each([
    ['of each complete segment', 8_000, (chunks: number[]) => chunks.slice(0, -1)],
    ['after many writes', undefined, ([chunks = 0]: number[]) => (chunks < 64 ? [1] : [])],
  ])(
    'are merged %s, and read as before',
    async (_, segmentBytes, mergedOf) => {
      const place = await emptyPlace();
      const limits = segmentBytes === undefined ? {} : { segmentBytes };
      const { store, read } = await openStore({ place, limits });
      const received = await follow(store);
      const expected = Array.from({ length: 300 }, (_, index) => `${index} ${'x'.repeat(80)}`);
      for (const text of expected) {
        store.append(APP, NAME, text);
        await store.flush(APP);
      }
      await expect
        .poll(async () => mergedOf(await chunksOfSegments()), { timeout: 20_000 })
        .toEqual(segmentBytes === undefined ? [1] : [1, 1, 1]);
      expect((await read()).map(({ text }) => text)).toEqual(expected);
      await seen(received, expected);
    },
    60_000,
  );
});

describe('a write that fails', () => {
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`);

  /** A server whose connections to the database can be interrupted. */
  async function openBehindProxy() {
    const place = await emptyPlace();
    const proxy = await startDatabaseProxy(connection());
    const ownPool = createPool(proxy.connection, () => {});
    onTestFinished(async () => {
      proxy.restore();
      await ownPool.end();
      await proxy.stop();
    });
    const reported: unknown[] = [];
    const report = (error: unknown) => void reported.push(error);
    const storage = createLogTables(createDatabase(ownPool), report);
    return { proxy, reported, ...(await openStore({ place, storage, report })) };
  }

  it('is repeated, and no line is lost or stored twice', async () => {
    const { proxy, store, read, reported } = await openBehindProxy();
    for (let round = 0; round < 4; round += 1) {
      const texts = numbers(400).slice(round * 100, (round + 1) * 100);
      for (const text of texts.slice(0, 50)) store.append(APP, NAME, text);
      await new Promise((resolve) => setTimeout(resolve, round));
      proxy.disconnect();
      for (const text of texts.slice(50)) store.append(APP, NAME, text);
      await expect.poll(() => reported.length, { timeout: 20_000 }).toBeGreaterThan(round);
      proxy.restore();
      await store.flush(APP);
    }
    expect((await read()).map(({ text }) => text)).toEqual(numbers(400));
  }, 60_000);

  it('is not repeated if it was stored, although its result was lost', async () => {
    const place = await emptyPlace();
    const tables = place.openStorage();
    let losses = 2;
    const storage: LogStorage = {
      ...tables,
      of(appId, kind) {
        const segments = tables.of(appId, kind);
        async function append(write: LogWrite): Promise<void> {
          await segments.append(write);
          losses -= 1;
          if (losses >= 0) throw new Error('Connection terminated unexpectedly');
        }
        return { ...segments, append };
      },
    };
    const { store, read } = await openStore({ place, storage });
    for (const text of ['one', 'two', 'three']) {
      store.append(APP, NAME, text);
      await store.flush(APP);
    }
    expect(losses).toBe(-1);
    expect(sequenced(await read())).toEqual(['1 one', '2 two', '3 three']);
  });

  it('leaves whole lines to the next writer when its server is killed', async () => {
    const { place, proxy, store } = await openBehindProxy();
    for (const text of numbers(2_000)) store.append(APP, NAME, text);
    setTimeout(proxy.disconnect, 5);
    const next = await openStore({ place });
    next.store.append(APP, NAME, 'of the next server');
    const lines = await next.read({ tailLines: 5_000 });
    expect(lines.map(({ sequence }) => sequence)).toEqual(lines.map((_, index) => index + 1));
    expect(lines.at(-1)?.text).toBe('of the next server');
    expect(lines.slice(0, -1).map(({ text }) => text)).toEqual(numbers(lines.length - 1));
  });

  it('does not keep a reader waiting for longer than it wants to', async () => {
    const { proxy, store } = await openBehindProxy();
    proxy.disconnect();
    store.append(APP, NAME, 'one');
    const query = { tailLines: 10, follow: false, previous: false };
    const reading = store.open(APP, query, AbortSignal.timeout(100));
    await expect(reading).rejects.toThrow('timeout');
  });

  it('does not keep the store from closing', async () => {
    const { proxy, store } = await openBehindProxy();
    proxy.disconnect();
    store.append(APP, NAME, 'one');
    await store.close();
  });

  it('does not fail those of other apps', async () => {
    const storage = (await emptyPlace()).openStorage();
    await storage.resume();
    const other = await pool().connect();
    try {
      await other.query('begin');
      await other.query('lock table deploy.log_writer in exclusive mode');
      const stores = Array.from({ length: 8 }, (_, index) =>
        storage.of(`00000000-0000-4000-8000-00000000000${index}`, 'output').append({
          after: 0,
          last: 1,
          pieces: [{ stream: '.', segment: 1, start: 0, text: 'line', last: 1 }],
          removed: [],
          records: index === 7 ? [{ path: 'refused by Postgres', value: '\u0000' }] : [],
        }),
      );
      const results = Promise.allSettled(stores);
      await other.query('commit');
      const states = (await results).map(({ status }) => status);
      expect(states).toEqual([...Array<string>(7).fill('fulfilled'), 'rejected']);
    } finally {
      other.release(true);
    }
  });
});
