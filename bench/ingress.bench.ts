import { join } from 'node:path';
import { AUTO_DOMAIN, autoDomain } from '@longshore/contract';
import { processesOf } from '../e2e/support/app-processes.ts';
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
import { TINY_APP, type TinyAppResponse, waitForTinyApp } from './support/tiny-app.ts';

const CLIENTS = 32;
const ROUNDS = 5;
const ROUND_MS = 1_500;
const NAME = 'tiny';

await runBenchmark('ingress', async (scope) => {
  const folder = await benchmarkFolder(scope);
  const longshore = await startLongshore(join(folder, 'data'), scope);
  const { host, app } = await deployTinyApp(longshore, folder, scope);
  const ingressLoad = await startLoadOn(longshore.ingressPort, scope, host);
  const peers = await startPeerProxies({ folder, upstream: app.address, scope });
  const measured: Measurement[] = [];
  for (const { name, port } of peers) {
    measured.push(...(await compareWithPeer(name, ingressLoad, await startLoadOn(port, scope))));
  }
  if (measured.length === 0) throw new Error('Neither nginx nor Caddy is installed');
  return measured;
});

/** Deploys the app to which the peers also forward requests. */
async function deployTinyApp(
  longshore: Longshore,
  folder: string,
  scope: Scope,
): Promise<{ host: string; app: TinyAppResponse }> {
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
    const processes = await processesOf(id);
    await user.delete(id);
    await Promise.all(processes.map(waitForExit));
  });
  return { host, app };
}

async function startLoadOn(port: number, scope: Scope, host = `localhost:${port}`): Promise<Load> {
  const client = { method: 'GET', path: '/', host } as const;
  const clients = Array.from({ length: CLIENTS }, () => client);
  return await startLoad({ port, clients, pauseMs: 0 }, scope);
}

async function compareWithPeer(
  name: string,
  ingressLoad: Load,
  peerLoad: Load,
): Promise<Measurement[]> {
  const p99s = { ingress: [] as number[], peer: [] as number[] };
  const rateOf = (load: Load, p99sOfLoad: number[]) => async (forMs: number) => {
    const round = await load.run(forMs);
    p99sOfLoad.push(percentile(round.latenciesMs.flat(), 0.99));
    return perSecond(round);
  };
  const rate = await compareRates({
    rounds: ROUNDS,
    roundMs: ROUND_MS,
    measured: rateOf(ingressLoad, p99s.ingress),
    baseline: rateOf(peerLoad, p99s.peer),
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
      value: median(p99s.ingress),
      baseline: { name: `${name}, one worker`, value: median(p99s.peer) },
    },
  ];
}
