import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { INSERT_RESOURCE, type Session } from '@longshore/contract';
import { type BackendOptions, bearer, startBackend } from '../../backend.ts';

/** A backend that listens for websockets. */
export async function startSocketServer(options: BackendOptions = {}) {
  const backend = await startBackend(options);
  const server = createServer().on('upgrade', backend.graphql.sockets.upgrade);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    backend,
    port,
    url: `ws://127.0.0.1:${port}/v1/graphql`,
    async createProject(session: Session, name: string): Promise<void> {
      await backend.post('/v1/graphql', projectInsert(session, name), bearer(session));
    },
    async stop() {
      await backend.stop();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type SocketServer = Awaited<ReturnType<typeof startSocketServer>>;

export function projectInsert(session: Session, name: string) {
  const userId = session.user.id;
  const variables = { userId, chartName: 'project', chartVersion: '0.0', values: { userId, name } };
  return { query: INSERT_RESOURCE, variables };
}
