import { constants, setPriority } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { type Connection, openConnection } from '../support/load/connection.ts';
import type { SteadyLoadSetUp, SteadyResult } from '../support/load/start-steady-load.ts';
import { serializeRequest } from '../support/load/virtual-client.ts';
import { serveRequests } from '../support/serve-requests.ts';

/** How late a timer may fire on an idle machine. Later ones count as latency. */
const TIMER_MS = 1;
/** Servers close connections that are idle for longer. */
const MAX_IDLE_MS = 1_000;

type IdleConnection = { connection: Connection; since: number };

// Visitors have computers of their own: what this program itself waits for is not the latency of an app.
setPriority(constants.priority.PRIORITY_HIGHEST);

/** Sends requests at a fixed rate, whether or not the earlier ones have a response. */
await serveRequests(async ({ port, hosts, perSecond }: SteadyLoadSetUp) => {
  const periodMs = 1_000 / perSecond;
  let sent: Promise<number | undefined>[] = [];
  for (const [number, host] of hosts.entries()) {
    void sendForever(host, performance.now() + (periodMs * number) / hosts.length);
  }
  return async (): Promise<SteadyResult> => {
    const taken = sent;
    sent = [];
    const latencies = await Promise.all(taken);
    const latenciesMs = latencies.filter((latencyMs) => latencyMs !== undefined);
    return { latenciesMs, failures: latencies.length - latenciesMs.length };
  };

  async function sendForever(host: string, firstAt: number): Promise<void> {
    const request = serializeRequest({ method: 'GET', path: '/', host }, port);
    const idle: IdleConnection[] = [];
    for (let dueAt = firstAt; ; dueAt += periodMs) {
      await delay(Math.max(0, dueAt - performance.now()));
      const startedAt = Math.min(performance.now(), dueAt + TIMER_MS);
      sent.push(send(request, startedAt, idle).catch(() => undefined));
    }
  }

  /** Undefined: the app did not serve the request. */
  async function send(
    request: string,
    startedAt: number,
    idle: IdleConnection[],
  ): Promise<number | undefined> {
    const connection = takeIdle(idle) ?? (await openConnection(port));
    const { status } = await connection.send(request);
    const endedAt = performance.now();
    idle.push({ connection, since: endedAt });
    return status === 200 ? endedAt - startedAt : undefined;
  }
});

function takeIdle(idle: IdleConnection[]): Connection | undefined {
  for (let last = idle.pop(); last !== undefined; last = idle.pop()) {
    if (performance.now() - last.since < MAX_IDLE_MS) return last.connection;
    last.connection.close();
  }
  return undefined;
}
