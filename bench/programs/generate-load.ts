import { setTimeout as delay } from 'node:timers/promises';
import { openConnection } from '../support/load/connection.ts';
import type { LoadSetUp, Round, RoundResult } from '../support/load/start-load.ts';
import { nextClient, serializeRequest } from '../support/load/virtual-client.ts';
import { serveRequests } from '../support/serve-requests.ts';

/** Sends requests as many virtual clients, in rounds. Each client continues where it stopped. */
await serveRequests(async ({ host, port, clients, pauseMs }: LoadSetUp) => {
  return async ({ forMs }: Round): Promise<RoundResult> => {
    const startedAt = performance.now();
    const latenciesMs = await Promise.all(
      clients.map((_, number) => sendRequests(number, startedAt + forMs)),
    );
    return { tookMs: performance.now() - startedAt, latenciesMs };
  };

  async function sendRequests(number: number, until: number): Promise<number[]> {
    const connection = await openConnection(port, host);
    const latenciesMs: number[] = [];
    for (let client = clients[number]; client && performance.now() < until; ) {
      const request = serializeRequest(client, port);
      const startedAt = performance.now();
      const { status, body } = await connection.send(request);
      latenciesMs.push(performance.now() - startedAt);
      if (status !== 200) throw new Error(`${client.path} returned ${status}: ${body}`);
      client = clients[number] = nextClient(client, body);
      if (pauseMs > 0) await delay(pauseMs);
    }
    connection.close();
    return latenciesMs;
  }
});
