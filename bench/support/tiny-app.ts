import { get } from 'node:http';
import { waitUntil } from './wait-until.ts';

/**
 * The app's response: its pid, as it sees it, the start time of its process, in milliseconds since 1970, and its address, which
 * is its own one in a sandbox.
 */
export type TinyAppResponse = { pid: number; spawnedAt: number; address: string };

/** A web app without dependencies that reports when it was spawned. */
export const TINY_APP = {
  'package.json': JSON.stringify({
    name: 'tiny',
    private: true,
    scripts: { start: 'node server.js' },
  }),
  'server.js': `
    const port = Number(process.env.PORT);
    const others = Object.values(require('node:os').networkInterfaces()).flat();
    const own = others.find(({ internal }) => !internal && process.env.HOST === '0.0.0.0');
    const address = (own?.address ?? '127.0.0.1') + ':' + port;
    const body = JSON.stringify({ pid: process.pid, spawnedAt: performance.timeOrigin, address });
    require('node:http')
      .createServer((request, response) => response.end(body))
      .listen(port, process.env.HOST);
  `,
};

const PAUSE_MS = 5;

/** Resolves when the app responds at a port, for its host name. */
export async function waitForTinyApp(
  port: number,
  host = 'localhost',
  path = '/',
): Promise<TinyAppResponse> {
  return await waitUntil(`${host} responds`, PAUSE_MS, () => requestTinyApp(port, host, path));
}

/** Undefined: the request failed. */
export function requestTinyApp(
  port: number,
  host: string,
  path = '/',
): Promise<TinyAppResponse | undefined> {
  return new Promise((resolve) => {
    const options = { port, path, host: '127.0.0.1', agent: false, headers: { Host: host } };
    get(options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve(response.statusCode === 200 ? JSON.parse(text) : undefined));
    }).on('error', () => resolve(undefined));
  });
}
