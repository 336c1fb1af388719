import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';

/** Counts the results of requests, by `status body` or by the error message. */
export type SteadyLoad = {
  results: Map<string, number>;
  /** Sends no more requests, and resolves when all have completed. */
  stop(): Promise<void>;
};

type LoadOptions = {
  port: number;
  host: string;
  perSecond: number;
  /** In turns. */
  methods?: readonly string[];
};

const TICK_MS = 5;
/** A slow machine gets fewer requests instead of a growing backlog. */
const MAX_IN_FLIGHT = 64;
const METHODS = ['GET', 'POST', 'GET', 'PUT'] as const;

/** Sends requests at a fixed rate, regardless of pending ones; half of them on keep-alive connections. */
export function startSteadyLoad({
  port,
  host,
  perSecond,
  methods = METHODS,
}: LoadOptions): SteadyLoad {
  const agent = new Agent({ keepAlive: true });
  const results = new Map<string, number>();
  const inFlight = new Set<Promise<void>>();
  const startedAt = performance.now();
  let sent = 0;

  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - startedAt) / 1_000) * perSecond);
    for (; sent < due; sent += 1) if (inFlight.size < MAX_IN_FLIGHT) send(sent);
  }, TICK_MS);

  function send(number: number): void {
    const exchange = sendRequest(number).then(count, (error: Error) => count(error.message));
    inFlight.add(exchange);
    void exchange.finally(() => inFlight.delete(exchange));
  }

  function count(result: string): void {
    results.set(result, (results.get(result) ?? 0) + 1);
  }

  async function sendRequest(number: number): Promise<string> {
    const method = methods[number % methods.length] ?? 'GET';
    const headers = { Host: host };
    const connection = number % 8 < 4 ? { agent } : { agent: false as const };
    const outgoing = request({ host: '127.0.0.1', port, method, headers, ...connection });
    const responded = new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.on('response', resolve).on('error', reject);
    });
    outgoing.end(method === 'GET' || method === 'HEAD' ? undefined : `request ${number}`);
    const incoming = await responded;
    return `${incoming.statusCode} ${await text(incoming)}`;
  }

  return {
    results,
    async stop() {
      clearInterval(timer);
      await Promise.all(inFlight);
      agent.destroy();
    },
  };
}
