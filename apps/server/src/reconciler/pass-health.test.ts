import { describe, expect, it } from 'vitest';
import { startReconcilerHarness } from '../../test/reconciler/reconciler-harness.ts';
import { failureMessage } from './messages.ts';

const CHECK = { path: '/up', intervalSeconds: 10, failureThreshold: 3, graceSeconds: 30 };
const INTERVAL_MS = 10_000;
const PROBLEM = 'status 500, expected 200 to 399';

/** A reconciler whose instances fail their check while their port is in `sick`, and that counts checks. */
async function start() {
  const sick = new Set<number>();
  const health = { isDown: false, probes: 0 };
  const harness = await startReconcilerHarness({
    async probe({ address }) {
      health.probes += 1;
      const isSick = health.isDown || sick.has(address.port);
      return isSick ? { kind: 'failed', problem: PROBLEM } : { kind: 'passed' };
    },
  });
  const { store, clock, engine, runningOf } = harness;
  return {
    ...harness,
    health,
    sick,
    async deploy(healthCheck: typeof CHECK | null = CHECK) {
      const appId = store.addApp(healthCheck === null ? {} : { healthCheck });
      await harness.settle();
      return appId;
    },
    async portOf(appId: string) {
      const [instance, ...others] = await runningOf(appId);
      expect(others).toEqual([]);
      return instance?.address.port ?? 0;
    },
    async passMinutes(minutes: number) {
      await clock.advance(minutes * 60_000);
    },
    targetOf: (appId: string) => harness.routeOf(appId)?.route,
    stopsOf: (appId: string) =>
      engine.calls.filter((call) => call.appId === appId && call.action === 'stopInstance').length,
  };
}

const liveAt = (port: number) => ({ kind: 'live', targets: [{ host: '127.0.0.1', port }] });

describe('at its start', () => {
  it('an app gets no traffic before it passes its health check', async () => {
    const { deploy, health, store, clock, targetOf, portOf } = await start();
    health.isDown = true;
    const appId = await deploy();
    await clock.advance(20_000);
    expect(targetOf(appId)).toEqual({ kind: 'starting' });
    expect(store.statusOf(appId).status).toBe('syncing');
    health.isDown = false;
    await clock.advance(2_000);
    expect(store.statusOf(appId).status).toBe('synced');
    expect(targetOf(appId)).toMatchObject(liveAt(await portOf(appId)));
  });

  it('an app that does not pass within its grace period fails, and the release before serves', async () => {
    const { deploy, health, store, clock, settle, targetOf, portOf } = await start();
    const appId = await deploy();
    const port = await portOf(appId);
    health.isDown = true;
    store.editApp(appId, { env: { COLOUR: 'blue' } });
    await settle();
    health.isDown = true;
    await clock.advance(32_000);
    expect(store.releasesOf(appId)[1]).toMatchObject({
      outcome: 'failed',
      reason: 'health-check-failed',
      evidence: [`GET /up: ${PROBLEM}`, 'Checked for 30 s after the app accepted connections.'],
    });
    expect(targetOf(appId)).toMatchObject(liveAt(port));
  });

  it('an app that exits meanwhile is reported as crashed, at once', async () => {
    const { deploy, health, store, clock, engine, runningOf } = await start();
    health.isDown = true;
    const appId = await deploy();
    const [instance] = await runningOf(appId);
    engine.exitInstance(appId, instance?.id ?? '', { code: 7, signal: undefined });
    await clock.advance(3_000);
    expect(store.statusOf(appId).message).toContain('Exit code 7.');
  });
});

describe('while it runs', () => {
  it('an instance that fails its check is replaced, and serves until the new one does', async () => {
    const { deploy, sick, store, clock, targetOf, portOf, passMinutes } = await start();
    const appId = await deploy();
    await passMinutes(10);
    const port = await portOf(appId);
    sick.add(port);
    await clock.advance(2 * INTERVAL_MS);
    expect(targetOf(appId)).toMatchObject(liveAt(port));
    await clock.advance(INTERVAL_MS);
    const next = await portOf(appId);
    expect(next).not.toBe(port);
    expect(targetOf(appId)).toMatchObject(liveAt(next));
    expect(store.statusOf(appId).status).toBe('synced');
    expect(store.releasesOf(appId)).toHaveLength(1);
  });

  it('two failures do not make it unhealthy, if the next check passes', async () => {
    const { deploy, sick, clock, portOf, passMinutes } = await start();
    const appId = await deploy();
    await passMinutes(10);
    const port = await portOf(appId);
    for (let round = 0; round < 5; round += 1) {
      sick.add(port);
      await clock.advance(2 * INTERVAL_MS);
      sick.clear();
      await clock.advance(INTERVAL_MS);
    }
    expect(await portOf(appId)).toBe(port);
  });

  it('it keeps serving if its replacements fail, too, and the page says why', async () => {
    const { deploy, health, store, targetOf, portOf, passMinutes, runningOf } = await start();
    const appId = await deploy();
    await passMinutes(10);
    const port = await portOf(appId);
    health.isDown = true;
    await passMinutes(5);
    expect(targetOf(appId)).toMatchObject(liveAt(port));
    expect(store.statusOf(appId)).toMatchObject({
      status: 'backoff',
      message: expect.stringContaining(
        failureMessage('health-check-failed', []).split('\n')[0] ?? '?',
      ),
    });
    expect(store.observedOf(appId).serving?.health).toEqual({
      check: 'GET /up',
      problem: `GET /up: ${PROBLEM}`,
    });
    expect((await runningOf(appId)).length).toBeLessThanOrEqual(2);
    health.isDown = false;
    await passMinutes(10);
    expect(store.statusOf(appId).status).toBe('synced');
    expect(store.observedOf(appId).serving?.health).toEqual({ check: 'GET /up' });
    await portOf(appId);
  });

  it('instances that become unhealthy again and again are replaced less and less often', async () => {
    const { deploy, sick, passMinutes, runningOf, clock, stopsOf } = await start();
    const appId = await deploy({ ...CHECK, intervalSeconds: 1, failureThreshold: 1 });
    await passMinutes(10);
    for (let second = 0; second < 600; second += 1) {
      for (const { address } of await runningOf(appId)) sick.add(address.port);
      await clock.advance(1_000);
      sick.clear();
      await clock.advance(10);
    }
    expect(stopsOf(appId)).toBeGreaterThan(3);
    expect(stopsOf(appId)).toBeLessThan(30);
  });

  it('a restart of the server makes nothing unhealthy and checks nothing before the interval is over', async () => {
    const { deploy, health, clock, portOf, restart, targetOf, passMinutes, sick } = await start();
    const appId = await deploy();
    await passMinutes(10);
    const port = await portOf(appId);
    sick.add(port);
    await clock.advance(2 * INTERVAL_MS);
    const { probes } = health;
    await restart();
    expect(health.probes).toBe(probes);
    await clock.advance(2 * INTERVAL_MS);
    expect(targetOf(appId)).toMatchObject(liveAt(port));
    expect(await portOf(appId)).toBe(port);
  });

  it.each([
    ['hibernated', { instances: 0 }],
    ['deleted', undefined],
  ])('nothing is checked of an app that is %s', async (_, change) => {
    const { deploy, health, store, settle, passMinutes } = await start();
    const appId = await deploy();
    if (change === undefined) store.deleteApp(appId);
    else store.editApp(appId, change);
    await settle();
    const { probes } = health;
    await passMinutes(10);
    expect(health.probes).toBe(probes);
  });

  it('nothing is checked, and no pass begins, after the server has stopped', async () => {
    const { deploy, health, engine, sick, clock, portOf, reconciler, passMinutes } = await start();
    const appId = await deploy({ ...CHECK, intervalSeconds: 1, failureThreshold: 1 });
    await passMinutes(10);
    // The second one is replaced after a pause.
    for (let round = 0; round < 2; round += 1) {
      sick.add(await portOf(appId));
      await clock.advance(1_000);
    }
    await reconciler().stop();
    const [{ probes }, calls] = [health, engine.calls.length];
    await passMinutes(10);
    expect([health.probes, engine.calls.length]).toEqual([probes, calls]);
  });

  it('nothing is checked of an app without a health check', async () => {
    const { deploy, health, passMinutes } = await start();
    await deploy(null);
    await passMinutes(10);
    expect(health.probes).toBe(0);
  });
});

describe('soon after the switch', () => {
  async function deployTwo() {
    const started = await start();
    const { deploy, store, settle, portOf, passMinutes } = started;
    const appId = await deploy();
    await passMinutes(10);
    const before = await portOf(appId);
    store.editApp(appId, { env: { COLOUR: 'blue' } });
    await settle();
    expect(store.statusOf(appId).status).toBe('synced');
    return { ...started, appId, before };
  }

  it('a release that becomes unhealthy is rolled back, and the page says so', async () => {
    const { appId, sick, store, clock, portOf, runningOf, targetOf } = await deployTwo();
    sick.add(await portOf(appId));
    await clock.advance(3 * INTERVAL_MS);
    expect(store.releasesOf(appId)).toMatchObject([
      { number: 1, outcome: 'live' },
      {
        number: 2,
        outcome: 'failed',
        reason: 'release-unhealthy',
        evidence: [`GET /up: ${PROBLEM}`, 'Release 1 serves again.'],
      },
    ]);
    expect(store.statusOf(appId)).toMatchObject({
      status: 'backoff',
      message: failureMessage('release-unhealthy', [
        `GET /up: ${PROBLEM}`,
        'Release 1 serves again.',
      ]),
    });
    expect((await runningOf(appId)).map(({ release }) => release)).toEqual([1]);
    expect(targetOf(appId)).toMatchObject(liveAt(await portOf(appId)));
    expect(store.observedOf(appId).serving?.release).toBe(1);
    // The next edit is a new attempt.
    store.editApp(appId, { env: { COLOUR: 'green' } });
    await clock.advance(1_000);
    expect(store.observedOf(appId).serving?.release).toBe(3);
    expect(store.statusOf(appId).status).toBe('synced');
  });

  it('a release that crashes again and again is rolled back', async () => {
    const { appId, engine, store, clock, runningOf } = await deployTwo();
    for (let crash = 0; crash < 3; crash += 1) {
      const [instance] = await runningOf(appId);
      engine.exitInstance(appId, instance?.id ?? '');
      await clock.advance(5_000);
    }
    expect(store.releasesOf(appId)[1]).toMatchObject({ reason: 'release-unhealthy' });
    expect(store.observedOf(appId).serving?.release).toBe(1);
  });

  it('a rolled back release stays so, although the app was scaled before', async () => {
    const { appId, sick, store, clock, settle, runningOf } = await deployTwo();
    store.editApp(appId, { replicas: 2 });
    await settle();
    for (const { address } of await runningOf(appId)) sick.add(address.port);
    await clock.advance(4 * INTERVAL_MS);
    expect(store.releasesOf(appId).map(({ outcome }) => outcome)).toEqual(['live', 'failed']);
    expect((await runningOf(appId)).map(({ release }) => release)).toEqual([1, 1]);
    expect(store.observedOf(appId).serving?.release).toBe(1);
  });

  it('one of several instances that becomes unhealthy is replaced without a rollback, and gets no traffic meanwhile', async () => {
    const { appId, sick, store, clock, engine, settle, runningOf, targetOf } = await deployTwo();
    store.editApp(appId, { replicas: 3 });
    await settle();
    const ports = (await runningOf(appId)).map(({ address }) => address.port);
    const [bad = 0, ...good] = ports;
    engine.setBehaviour(appId, { waitUntilListening: 'stalls' });
    sick.add(bad);
    await clock.advance(3 * INTERVAL_MS);
    expect(targetOf(appId)).toMatchObject({ targets: good.map((port) => ({ port })) });
    expect(store.releasesOf(appId).map(({ outcome }) => outcome)).toEqual(['live', 'live']);
  });

  it('later, only the instance is replaced', async () => {
    const { appId, sick, store, clock, portOf, passMinutes } = await deployTwo();
    await passMinutes(6);
    const port = await portOf(appId);
    sick.add(port);
    await clock.advance(3 * INTERVAL_MS);
    expect(await portOf(appId)).not.toBe(port);
    expect(store.observedOf(appId).serving?.release).toBe(2);
  });

  it('the first release has nothing to roll back to: its instance is replaced', async () => {
    const { deploy, sick, store, clock, portOf } = await start();
    const appId = await deploy();
    const port = await portOf(appId);
    sick.add(port);
    await clock.advance(3 * INTERVAL_MS);
    expect(await portOf(appId)).not.toBe(port);
    expect(store.statusOf(appId).status).toBe('synced');
  });
});
