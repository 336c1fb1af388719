import type { AppValues } from '@longshore/contract';
import { expect, it } from 'vitest';
import type { DeployHarness } from './deploy-harness.ts';

/** Answers its check: never with MODE=down, twice with MODE=fails, always without. */
export const CHECKED_SERVER = `
  let checks = 0;
  const { MODE, PORT } = process.env;
  require('node:http')
    .createServer((request, response) => {
      if (request.url === '/up') checks += 1;
      const isBad = MODE === 'down' || (MODE === 'fails' && checks > 2);
      response.writeHead(request.url === '/up' && isBad ? 500 : 200).end();
    })
    .listen(PORT);
`;

const HEALTH_CHECK = { path: '/up', intervalSeconds: 1, failureThreshold: 2 };
const POLL = { timeout: 120_000 };

type Checked = {
  harness: () => DeployHarness;
  /** A repository or an image with the server above. */
  origin: () => Promise<Partial<AppValues>>;
};

/** Tests that every engine passes with a real app. */
export function testHealthChecks({ harness, origin }: Checked): void {
  const servingOf = (appId: string) => harness().store.observedOf(appId).serving;

  it('fails with health-check-failed if the app never passes its check', async () => {
    const appId = harness().deploy({
      ...(await origin()),
      env: { MODE: 'down' },
      healthCheck: { ...HEALTH_CHECK, graceSeconds: 3 },
    });
    const evidence = await harness().waitForFailure(appId, 'health-check-failed');
    expect(evidence[0]).toBe('GET /up: status 500, expected 200 to 399');
    expect(servingOf(appId)).toBeUndefined();
    harness().store.deleteApp(appId);
  });

  it('replaces an instance that does not pass its check any more', async () => {
    const appId = harness().deploy({
      ...(await origin()),
      env: { MODE: 'fails' },
      healthCheck: HEALTH_CHECK,
    });
    await expect.poll(() => servingOf(appId)?.logName, POLL).toBeDefined();
    const first = servingOf(appId)?.logName;
    const isReplaced = () => {
      const { logName } = servingOf(appId) ?? {};
      return logName !== undefined && logName !== first;
    };
    await expect.poll(isReplaced, POLL).toBe(true);
    harness().store.deleteApp(appId);
  });

  it('fails with release-unhealthy, and the release before serves again', async () => {
    const appId = harness().deploy({
      ...(await origin()),
      healthCheck: HEALTH_CHECK,
    });
    await harness().waitUntilSynced(appId);
    harness().store.editApp(appId, { env: { MODE: 'fails' } });
    const evidence = await harness().waitForFailure(appId, 'release-unhealthy');
    expect(evidence).toEqual([
      'GET /up: status 500, expected 200 to 399',
      'Release 1 serves again.',
    ]);
    await expect.poll(() => servingOf(appId)?.release, POLL).toBe(1);
    expect(
      harness()
        .store.releasesOf(appId)
        .map(({ outcome }) => outcome),
    ).toEqual(['live', 'failed']);
    harness().store.deleteApp(appId);
  });
}
