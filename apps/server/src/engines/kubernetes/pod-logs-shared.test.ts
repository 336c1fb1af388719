import { describe, expect, it, onTestFinished } from 'vitest';
import { APP, openStore, setUpLogDatabase } from '../../../test/logs/log-fixture.ts';
import type { LogStorage } from '../../logs/log-storage.ts';
import { createDatabaseRecords } from '../database-records.ts';
import type { KubernetesApi } from './kubernetes-api.ts';
import { LABELS } from './ownership.ts';
import type { Pod } from './pod.ts';
import { createPodLogs } from './pod-logs.ts';

const AT = '2026-01-02T03:04:05Z';
const { emptyPlace, db, pool } = setUpLogDatabase();

const POD: Pod = {
  metadata: {
    name: 'shop-1',
    namespace: 'p',
    uid: 'u',
    creationTimestamp: AT,
    labels: { [LABELS.app]: APP, [LABELS.instance]: '1' },
  },
  status: {
    phase: 'Running',
    containerStatuses: [{ restartCount: 0, ready: true, state: { running: { startedAt: AT } } }],
  },
};

/** A pod that prints lines, three at each time, to everybody who follows it. */
function printingPod() {
  const text: string[] = [];
  let wake = Promise.withResolvers<void>();
  const api: KubernetesApi = {
    call: async <Result>() => POD as Result,
    async follow(_path, { query = {}, signal }) {
      return lines(typeof query.sinceTime === 'string' ? query.sinceTime : '', signal);
    },
    connect: () => Promise.reject(new Error('not used')),
  };
  async function* lines(since: string, signal: AbortSignal): AsyncGenerator<Buffer> {
    signal.throwIfAborted();
    const aborted = new Promise<void>((resolve) =>
      signal.addEventListener('abort', () => resolve(), { once: true }),
    );
    for (let next = 0; ; ) {
      for (; next < text.length; next += 1) {
        const line = text[next] ?? '';
        if (line.slice(0, since.length) >= since) yield Buffer.from(line);
      }
      await Promise.race([wake.promise, aborted]);
      signal.throwIfAborted();
    }
  }
  return {
    api,
    print(count: number) {
      for (let printed = 0; printed < count; printed += 1) {
        const at = new Date(Date.parse(AT) + Math.floor(text.length / 3)).toISOString();
        text.push(`${at} line ${text.length}\n`);
      }
      wake.resolve();
      wake = Promise.withResolvers();
    },
  };
}

type LogOf = Parameters<LogStorage['of']>;

const linesUntil = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`);

describe('the log of a pod on several servers', () => {
  async function openServers() {
    await pool().query('delete from deploy.engine_records');
    const place = await emptyPlace();
    const pod = printingPod();
    const errors: unknown[] = [];
    async function lead(options: Parameters<typeof openStore>[0] = {}) {
      const opened = await openStore({ place, ...options });
      const records = createDatabaseRecords(db());
      const firstObservations = { over: async () => {} };
      const deps = { api: pod.api, logs: opened.store, records, firstObservations };
      const podLogs = createPodLogs(deps, (error) => errors.push(error));
      onTestFinished(() => podLogs.close());
      podLogs.follow(POD);
      return { ...opened, podLogs };
    }
    return { place, lead, errors, print: pod.print };
  }

  it('is copied by the next leader without lost or repeated lines, while the former one still runs', async () => {
    const { lead, errors, print } = await openServers();
    let printed = 0;
    let last = await lead();
    for (let change = 0; change < 5; change += 1) {
      print(100);
      printed += 100;
      if (change % 2 === 0) await expect.poll(() => last.texts()).toContain(`line ${printed - 1}`);
      last = await lead();
      print(50);
      printed += 50;
    }
    await expect
      .poll(async () => (await last.texts()).length, { timeout: 20_000 })
      .toBeGreaterThanOrEqual(printed);
    expect(await last.texts()).toEqual(linesUntil(printed));
    expect(errors).toEqual([]);
  }, 60_000);

  it('can be left while the database does not respond, and its lines are copied later', async () => {
    const { place, lead, print } = await openServers();
    const tables = place.openStorage();
    const append = () => Promise.reject(new Error('The database does not respond'));
    const storage = { ...tables, of: (...log: LogOf) => ({ ...tables.of(...log), append }) };
    const reported: unknown[] = [];
    const report = (error: unknown) => void reported.push(error);
    const limits = { lines: 100 };
    const { podLogs, store } = await lead({ storage, limits, report });
    print(300);
    await expect.poll(() => reported).not.toEqual([]);
    await podLogs.close();
    await store.close();
    const next = await lead();
    await expect.poll(() => next.texts(), { timeout: 20_000 }).toEqual(linesUntil(300));
  }, 30_000);

  it('has its position stored with each line', async () => {
    const { lead, print } = await openServers();
    const { texts, podLogs } = await lead();
    print(1);
    await expect.poll(() => texts()).toEqual(linesUntil(1));
    const { rows } = await pool().query('select path, value from deploy.engine_records');
    expect(rows).toEqual([
      {
        path: `kubernetes/${APP}/position-1`,
        value: { at: '2026-01-02T03:04:05.000Z', told: 1 },
      },
    ]);
    await podLogs.finish(POD);
    expect((await pool().query('select from deploy.engine_records')).rowCount).toBe(0);
  }, 30_000);
});
