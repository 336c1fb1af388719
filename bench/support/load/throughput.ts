import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { type ProxyProcess, pinned } from '../peer-proxies.ts';
import { cpuMs } from '../processes.ts';

/** What a proxy achieved in one round. */
export type Throughput = {
  /** Per second of its CPU time, which other work on the machine affects less than the time of day. */
  perCore: number;
  /** Of the whole round. Undefined: the load generator does not tell. */
  p99Ms?: number;
};

export type Round = {
  /** The load generator, which runs until it is stopped. */
  argv: readonly string[];
  /** The processor it runs on. */
  core: number;
  clients: number;
  /** How many requests are measured. */
  requests: number;
  /** How many requests the app has had so far. */
  served(): Promise<number>;
};

const POLL_MS = 20;
const TIMEOUT_MS = 300_000;

/**
 * Counts what the proxy spends on a number of requests, once every client has its connection. A round that ended after a
 * time would have few requests on a busy machine, and then its TLS handshakes would count as requests.
 */
export async function measureThroughput(proxy: ProxyProcess, round: Round): Promise<Throughput> {
  const { argv, core, clients, requests, served } = round;
  const [file, ...args] = pinned(core, argv);
  const generator = spawn(file, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(generator, 'exit');
  let output = '';
  generator.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const closed = once(generator.stdout, 'close');
  const deadline = performance.now() + TIMEOUT_MS;

  async function count(atLeast: number): Promise<number> {
    for (;;) {
      const now = await served();
      if (now >= atLeast) return now;
      if (generator.exitCode !== null || performance.now() > deadline) {
        throw new Error(`${proxy.name} did not get all requests:\n${output}`);
      }
      await delay(POLL_MS);
    }
  }

  try {
    const first = await count((await served()) + 5 * clients);
    const before = cpuMs(proxy.pids);
    const last = await count(first + requests);
    const spentMs = cpuMs(proxy.pids) - before;
    generator.kill('SIGINT');
    await Promise.all([exited, closed]);
    checkFailures(proxy, output);
    const p99Ms = p99Of(output);
    return {
      perCore: (last - first) / (spentMs / 1_000),
      ...(p99Ms !== undefined && { p99Ms }),
    };
  } finally {
    generator.kill('SIGKILL');
  }
}

/** Connections that wrk cuts at the end count as read errors: they are not failures. */
function checkFailures({ name }: ProxyProcess, output: string): void {
  const responses = Number(/(\d+) requests in/.exec(output)?.[1] ?? 0);
  const refused = Number(/Non-2xx or 3xx responses: (\d+)/.exec(output)?.[1] ?? 0);
  const [, connect = 0, , , timeout = 0] =
    /connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(output) ?? [];
  const failed = refused + Number(connect) + Number(timeout);
  if (failed > responses / 1_000) throw new Error(`${name} failed ${failed} times:\n${output}`);
}

function p99Of(output: string): number | undefined {
  const [, p99, unit] = /99%\s+([\d.]+)(us|ms|s)/.exec(output) ?? [];
  if (p99 === undefined) return undefined;
  return Number(p99) * { us: 0.001, ms: 1, s: 1_000 }[unit as 'us' | 'ms' | 's'];
}
