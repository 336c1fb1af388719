import { join } from 'node:path';
import { AUTO_DOMAIN, autoDomain } from '@longshore/contract';
import { makeRepository } from '../e2e/support/repository.ts';
import { signUp } from './support/bench-user.ts';
import { runBenchmark } from './support/benchmark.ts';
import { benchmarkFolder } from './support/benchmark-folder.ts';
import { compareRates } from './support/compare-rates.ts';
import { type Load, perSecond, startLoad } from './support/load/start-load.ts';
import { type Longshore, startLongshore } from './support/longshore.ts';
import { waitForExit } from './support/manual-deploy.ts';
import type { Measurement } from './support/measurement.ts';
import { startPeerProxies } from './support/peer-proxies.ts';
import type { Scope } from './support/scope.ts';
import { median, percentile } from './support/statistics.ts';
import { TINY_APP, type TinyAppInfo, waitForTinyApp } from './support/tiny-app.ts';

const CLIENTS = 32;
const ROUNDS = 5;
const ROUND_MS = 1_500;
const NAME = 'tiny';

await runBenchmark('ingress', async (scope) => {
  const folder = await benchmarkFolder(scope);
  const longshore = await startLongshore(join(folder, 'data'), scope);
  const { host, app } = await deployTiny(longshore, folder, scope);
  const ours = await loadOn(longshore.ingressPort, scope, host);
  const peers = await startPeerProxies({ folder, upstream: app.port, scope });
  const measured: Measurement[] = [];
  for (const { name, port } of peers) {
    measured.push(...(await compared(name, ours, await loadOn(port, scope))));
  }
  if (measured.length === 0) throw new Error('Neither nginx nor Caddy is installed');
  return measured;
});

/** One app of the real server, to which the peers also forward requests. */
async function deployTiny(
  longshore: Longshore,
  folder: string,
  scope: Scope,
): Promise<{ host: string; app: TinyAppInfo }> {
  const url = await makeRepository(join(folder, NAME), TINY_APP);
  const user = await signUp(longshore.url, 'ada@example.com');
  const projectId = await user.insert('project', { userId: user.id, name: 'Harbour' });
  const id = await user.insert('app', {
    name: NAME,
    projectId,
    ports: [{ number: 3000, expose: true }],
    publicAccess: { enabled: true, domain: AUTO_DOMAIN, baseDomain: 'localhost' },
    source: { enabled: true, url, ref: 'main', secretName: '' },
  });
  const host = autoDomain({ id, name: NAME }, 'localhost');
  const app = await waitForTinyApp(longshore.ingressPort, host);
  scope.defer(async () => {
    await user.delete(id);
    await waitForExit(app.pid);
  });
  return { host, app };
}

async function loadOn(port: number, scope: Scope, host = `localhost:${port}`): Promise<Load> {
  const caller = { method: 'GET', path: '/', host } as const;
  const clients = Array.from({ length: CLIENTS }, () => caller);
  return await startLoad({ port, clients, pauseMs: 0 }, scope);
}

async function compared(name: string, ours: Load, theirs: Load): Promise<Measurement[]> {
  const p99s = { ours: [] as number[], theirs: [] as number[] };
  const rateOf = (load: Load, of: number[]) => async (forMs: number) => {
    const round = await load.run(forMs);
    of.push(percentile(round.latenciesMs.flat(), 0.99));
    return perSecond(round);
  };
  const rate = await compareRates({
    rounds: ROUNDS,
    roundMs: ROUND_MS,
    measured: rateOf(ours, p99s.ours),
    baseline: rateOf(theirs, p99s.theirs),
  });
  return [
    {
      name: `requests through the ingress, ${CLIENTS} clients`,
      unit: '/s',
      value: rate.value,
      baseline: { name: `${name}, one worker`, value: rate.baseline },
    },
    {
      name: '  p99 latency',
      unit: 'ms',
      value: median(p99s.ours),
      baseline: { name: `${name}, one worker`, value: median(p99s.theirs) },
    },
  ];
}
