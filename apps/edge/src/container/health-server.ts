import { createServer, type Server } from 'node:http';

export type Health = { isAlive(): boolean; isReady(): boolean };

/** For the probes of the cluster. */
export function createHealthServer({ isAlive, isReady }: Health): Server {
  const checks: Record<string, () => boolean> = { '/livez': isAlive, '/readyz': isReady };
  return createServer(({ url = '' }, response) => {
    const check = checks[url];
    response.statusCode = check === undefined ? 404 : check() ? 200 : 503;
    response.end(`${response.statusCode === 200 ? 'ok' : 'not ok'}\n`);
  });
}
