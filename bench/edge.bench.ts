import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../e2e/support/free-port.ts';
import type { WebsocketRequest, WebsocketResult } from './programs/open-websockets.ts';
import type { HandshakeResult, HandshakeRound, HandshakeSetUp } from './programs/tls-handshakes.ts';
import { runBenchmark } from './support/benchmark.ts';
import { benchmarkFolder } from './support/benchmark-folder.ts';
import { startChildProgram } from './support/child-program.ts';
import { PING_MS, startEdgeWorker } from './support/edge-worker.ts';
import { measureThroughput, type Throughput } from './support/load/throughput.ts';
import type { Measurement } from './support/measurement.ts';
import { memoryOf } from './support/memory.ts';
import {
  installed,
  nginxConfiguration,
  type ProxyOptions,
  type ProxyProcess,
  pinned,
  startPeerProxies,
} from './support/peer-proxies.ts';
import { cpuMs } from './support/processes.ts';
import { startProgram } from './support/program.ts';
import type { Scope } from './support/scope.ts';
import { median } from './support/statistics.ts';

/** The proxies share one core, in turns; load generators and the app have the other one. */
const PROXY_CORE = 0;
const LOAD_CORE = 1;
const CLIENTS = 50;
const HTTP2_CLIENTS = 10;
const ROUNDS = 5;
const HOST = 'localhost';
const WEBSOCKETS = 10_000;
const MEBIBYTE = 1024 * 1024;
const HANDSHAKES = 300;
const WORKER_MEMORY_MB = 60;

type App = { upstream: string; served(): Promise<number> };

/** `warmUp`: rounds until Node has optimized the hot code. `minRatio`: to Caddy. */
type Scenario = {
  name: string;
  warmUp: number;
  minRatio?: number;
  measure(proxy: ProxyProcess): Promise<Throughput>;
};

await runBenchmark('edge', async (scope) => {
  const isMissing = (program: string) => installed(program) === undefined;
  const missing = ['wrk', 'openssl', 'nginx', 'caddy', 'h2load'].filter(isMissing);
  if (missing.length > 0) console.log(`Not installed, so not measured: ${missing.join(', ')}`);
  // nginx is the app, too.
  if (['wrk', 'openssl', 'nginx'].some(isMissing)) return [];
  const folder = await benchmarkFolder(scope);
  const app = await startApp(folder, scope);
  const measured: Measurement[] = [];
  for (const routes of [1, 100, 10_000]) {
    const options = await proxyOptions({ folder, upstream: app.upstream, scope }, routes);
    const edge = await startEdgeWorker(options);
    const peers = await startPeerProxies(options);
    const scenarios =
      routes === 1
        ? await allScenarios(app, [edge, ...peers], scope)
        : [await routesScenario(app, options)];
    for (const scenario of scenarios) {
      console.error(`  ${scenario.name}`);
      measured.push(...(await compare(scenario, edge, peers)));
    }
    await untilCollected();
    measured.push({
      name: `memory of a worker after that (PSS), ${routes.toLocaleString('en')} routes`,
      unit: 'MB',
      value: memoryOf(edge.pids).pssMb,
      ...(routes === 1 && { budget: WORKER_MEMORY_MB }),
    });
  }
  return [...measured, await websocketMemory(folder, scope)];
});

/** A worker frees the memory of a load when the keeper asks it for the second time after it. */
function untilCollected(): Promise<void> {
  return delay(2.5 * PING_MS);
}

/** Serves a page of 380 bytes, and a file of 1 MiB. */
async function startApp(folder: string, scope: Scope): Promise<App> {
  const [port, statusPort] = [await freePort(), await freePort()];
  const root = join(folder, 'www');
  await mkdir(root);
  await writeFile(join(root, 'index.html'), 'x'.repeat(380));
  await writeFile(join(root, 'large'), Buffer.alloc(MEBIBYTE, 'x'));
  const file = await nginxConfiguration(
    join(folder, 'app'),
    `sendfile on; server { listen 127.0.0.1:${port}; root ${root}; }
  server { listen 127.0.0.1:${statusPort}; location / { stub_status; } }`,
  );
  const nginx = installed('nginx') ?? '';
  const argv = pinned(LOAD_CORE, [nginx, '-p', join(folder, 'app'), '-c', file]);
  await startProgram({ argv, readyText: 'start worker process' }, scope);
  let asked = 0;
  return {
    upstream: `127.0.0.1:${port}`,
    async served() {
      asked += 1;
      const status = await (await fetch(`http://127.0.0.1:${statusPort}/`)).text();
      return Number(/requests\s+\d+ \d+ (\d+)/.exec(status)?.[1] ?? 0) - asked;
    },
  };
}

async function proxyOptions(
  { folder, upstream, scope }: Pick<ProxyOptions, 'folder' | 'upstream' | 'scope'>,
  routes: number,
): Promise<ProxyOptions> {
  const own = join(folder, `routes-${routes}`);
  await mkdir(own);
  const [certificate, key] = [join(own, 'certificate.pem'), join(own, 'key.pem')];
  const subject = ['-subj', `/CN=${HOST}`, '-addext', `subjectAltName=DNS:${HOST}`];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const files = ['-keyout', key, '-out', certificate];
  execFileSync('openssl', ['req', '-x509', ...kind, '-days', '2', ...subject, ...files], {
    stdio: 'ignore',
  });
  const others = Array.from({ length: routes - 1 }, (_, index) => `app-${index}.localhost`);
  return {
    folder: own,
    upstream,
    hosts: [HOST, ...others],
    certificate,
    key,
    core: PROXY_CORE,
    scope,
  };
}

/** Sends requests to all hosts in turn. */
async function routesScenario(app: App, { folder, hosts }: ProxyOptions): Promise<Scenario> {
  const script = join(folder, 'hosts.lua');
  await writeFile(
    script,
    `local hosts = { ${hosts.map((host) => `"${host}"`).join(', ')} }
local requests, at = {}, 0
init = function() for i, host in ipairs(hosts) do requests[i] = wrk.format("GET", "/", { Host = host }) end end
request = function() at = at % #requests + 1; return requests[at] end
`,
  );
  return {
    name: `requests per core, ${hosts.length.toLocaleString('en')} routes`,
    warmUp: 4,
    measure: (proxy) => wrk(app, proxy, 6_000, ['-s', script, `http://${HOST}:${proxy.port}/`]),
  };
}

async function allScenarios(app: App, proxies: ProxyProcess[], scope: Scope): Promise<Scenario[]> {
  const handshakes = await measureHandshakes(proxies, scope);
  const plain = ({ port }: ProxyProcess) => `http://${HOST}:${port}/`;
  const secure = ({ tlsPort }: ProxyProcess) => `https://${HOST}:${tlsPort}/`;
  const scenarios: Scenario[] = [
    {
      name: 'requests per core, keep-alive',
      warmUp: 5,
      minRatio: 2,
      measure: (proxy) => wrk(app, proxy, 6_000, [plain(proxy)]),
    },
    {
      name: 'requests per core, TLS, keep-alive',
      warmUp: 5,
      minRatio: 1.8,
      measure: (proxy) => wrk(app, proxy, 6_000, [secure(proxy)]),
    },
    {
      name: 'responses of 1 MiB per core',
      warmUp: 3,
      minRatio: 0.9,
      measure: (proxy) => wrk(app, proxy, 300, [`${plain(proxy)}large`]),
    },
    {
      name: 'requests per core, new connection each',
      warmUp: 5,
      minRatio: 1,
      measure: (proxy) => wrk(app, proxy, 3_000, ['-H', 'Connection: close', plain(proxy)]),
    },
    {
      name: 'full TLS handshakes per core',
      warmUp: 2,
      measure: (proxy) => handshakes(proxy, false),
    },
    {
      name: 'resumed TLS handshakes per core',
      warmUp: 2,
      measure: (proxy) => handshakes(proxy, true),
    },
  ];
  if (installed('h2load') === undefined) return scenarios;
  const streams = ['-t1', `-c${HTTP2_CLIENTS}`, '-m10', '-D600'];
  return [
    ...scenarios,
    {
      name: 'requests per core, HTTP/2',
      warmUp: 5,
      measure: (proxy) =>
        measureThroughput(proxy, {
          argv: ['h2load', ...streams, secure(proxy)],
          core: LOAD_CORE,
          clients: HTTP2_CLIENTS,
          requests: 3_000,
          served: app.served,
        }),
    },
  ];
}

function wrk(
  { served }: App,
  proxy: ProxyProcess,
  requests: number,
  args: readonly string[],
): Promise<Throughput> {
  const argv = ['wrk', '-t1', `-c${CLIENTS}`, '-d600s', '--timeout', '60s', '--latency', ...args];
  return measureThroughput(proxy, { argv, core: LOAD_CORE, clients: CLIENTS, requests, served });
}

async function measureHandshakes(proxies: ProxyProcess[], scope: Scope) {
  const programs = new Map(
    await Promise.all(
      proxies.map(async (proxy) => {
        const setUp: HandshakeSetUp = { host: HOST, port: proxy.tlsPort, clients: 16 };
        const program = await startChildProgram<HandshakeRound, HandshakeResult>(
          'tls-handshakes.ts',
          setUp,
          scope,
        );
        execFileSync('taskset', ['-pc', String(LOAD_CORE), String(program.pid)]);
        return [proxy, program] as const;
      }),
    ),
  );
  return async (proxy: ProxyProcess, isResumed: boolean): Promise<Throughput> => {
    const before = cpuMs(proxy.pids);
    const result = await programs.get(proxy)?.request({ handshakes: HANDSHAKES, isResumed });
    const spentMs = cpuMs(proxy.pids) - before;
    if (result === undefined) throw new Error('Unknown proxy');
    if (isResumed && result.resumed < HANDSHAKES / 2) {
      throw new Error(`${proxy.name} resumed ${result.resumed} of ${HANDSHAKES} sessions`);
    }
    return { perCore: HANDSHAKES / (spentMs / 1_000) };
  };
}

/** The proxies are measured in turns, in alternating order, so that other work on the machine slows all of them. */
async function compare(
  { name, warmUp, minRatio, measure }: Scenario,
  edge: ProxyProcess,
  peers: ProxyProcess[],
): Promise<Measurement[]> {
  const proxies = [edge, ...peers];
  const rounds = new Map<ProxyProcess, Throughput[]>(proxies.map((proxy) => [proxy, []]));
  for (let round = 0; round < warmUp; round += 1) await measure(edge);
  for (const peer of peers) await measure(peer);
  for (let round = 0; round < ROUNDS; round += 1) {
    const order = round % 2 === 0 ? proxies : proxies.toReversed();
    for (const proxy of order) rounds.get(proxy)?.push(await measure(proxy));
  }
  const rate = (proxy: ProxyProcess) =>
    median((rounds.get(proxy) ?? []).map(({ perCore }) => perCore));
  const p99 = (proxy: ProxyProcess) =>
    median((rounds.get(proxy) ?? []).map(({ p99Ms }) => p99Ms ?? 0));
  const rows = (unit: '/s' | 'ms', of: (proxy: ProxyProcess) => number, row: string) =>
    peers.length === 0
      ? [{ name: row, unit, value: of(edge) }]
      : peers.map((peer) => ({
          name: row,
          unit,
          value: of(edge),
          baseline: { name: peer.name, value: of(peer) },
          ...(unit === '/s' && peer.name === 'Caddy' && minRatio !== undefined && { minRatio }),
        }));
  return [
    ...rows('/s', rate, name),
    ...(p99(edge) > 0 ? rows('ms', p99, '  p99 of the response time') : []),
  ];
}

/** With as many workers as the limit of open files requires. */
async function websocketMemory(folder: string, scope: Scope): Promise<Measurement> {
  const perWorker = Math.floor((openFilesLimit() - 1_000) / 200) * 100;
  const workers = Math.ceil(WEBSOCKETS / perWorker);
  const count = Math.ceil(WEBSOCKETS / workers / 100) * 100;
  const pids: number[] = [];
  for (let worker = 0; worker < workers; worker += 1) {
    const program = await startChildProgram<WebsocketRequest, WebsocketResult>(
      'open-websockets.ts',
      {},
      scope,
    );
    const { appPort } = await program.request({});
    const own = join(folder, `websockets-${worker}`);
    await mkdir(own);
    const options = await proxyOptions({ folder: own, upstream: `127.0.0.1:${appPort}`, scope }, 1);
    const edge = await startEdgeWorker(options);
    const { open } = await program.request({ port: edge.port, host: HOST, count });
    if (open < count) throw new Error(`Only ${open} websockets are open`);
    pids.push(...edge.pids);
  }
  const open = (workers * count).toLocaleString('en');
  return {
    name: `memory of ${workers} workers with ${open} open websockets (PSS)`,
    unit: 'MB',
    value: memoryOf(pids).pssMb,
  };
}

/** A worker has two connections per websocket, and so has the program that opens them. */
function openFilesLimit(): number {
  const limits = readFileSync('/proc/self/limits', 'utf8');
  return Number(/^Max open files\s+\S+\s+(\d+)/m.exec(limits)?.[1] ?? 1_024);
}
