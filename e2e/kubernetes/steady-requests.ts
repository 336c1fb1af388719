import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';

/** `url` of the edge, `host` of the app. */
type App = { url: string; host: string };

const PAUSE_MS = 50;
const TIMEOUT_MS = 10_000;
/** Fewer would not show anything. */
const ENOUGH = 100;

/** The body of a successful response. */
export function get({ url, host }: App, agent?: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const sent = request(
      url,
      { headers: { host }, signal, ...(agent && { agent }) },
      (response) => {
        let body = '';
        response.on('data', (chunk) => {
          body += String(chunk);
        });
        response.on('error', reject);
        response.on('end', () =>
          response.statusCode === 200
            ? resolve(body)
            : reject(new Error(`${response.statusCode} ${body}`)),
        );
      },
    );
    sent.on('error', reject);
    sent.end();
  });
}

/** Sends requests until `stop`, and enough of them: half on new connections, half on kept ones. */
export function startSteadyRequests(app: App) {
  const stopping = new AbortController();
  const failures: string[] = [];
  let count = 0;
  const send = async (agent: Agent) => {
    while (!stopping.signal.aborted || (count < ENOUGH && failures.length === 0)) {
      count += 1;
      await get(app, agent).catch((error) => failures.push(`${new Date().toISOString()} ${error}`));
      await delay(PAUSE_MS);
    }
    agent.destroy();
  };
  const loops = [send(new Agent({ keepAlive: true })), send(new Agent({ keepAlive: false }))];
  return {
    async stop() {
      stopping.abort();
      await Promise.all(loops);
      return failures;
    },
  };
}

export async function expectNoFailures(
  requests: ReturnType<typeof startSteadyRequests>,
): Promise<void> {
  expect(await requests.stop()).toEqual([]);
}
