import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The authentication of a registry. `open` also allows anonymous access. */
export type RegistryKind = 'basic' | 'bearer' | 'open';

/** The authentication endpoints of a registry, as documented by the CNCF distribution project. */
export type FakeRegistry = {
  /** With its port, as in image names. */
  host: string;
  url: string;
  accounts: Map<string, string>;
  requests: { path: string; authorization: string | undefined }[];
  /** Responds instead of the registry if it returns true. */
  intercept: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  /** The URL of the token service; by default its own. */
  realm: string | undefined;
  close(): Promise<void>;
};

const TOKEN = 'registry-token';
const SERVICE = 'registry.example';

export async function startFakeRegistry(kind: RegistryKind): Promise<FakeRegistry> {
  const server = createServer((request, response) => respond(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const registry: FakeRegistry = {
    host: `127.0.0.1:${port}`,
    url: `http://127.0.0.1:${port}`,
    accounts: new Map(),
    requests: [],
    intercept: undefined,
    realm: undefined,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return registry;

  function respond(request: IncomingMessage, response: ServerResponse): void {
    const { authorization } = request.headers;
    const { pathname, searchParams } = new URL(request.url ?? '/', registry.url);
    registry.requests.push({ path: pathname, authorization });
    if (registry.intercept?.(request, response)) return;
    if (pathname === '/token') {
      const isValid = searchParams.get('service') === SERVICE && hasValidPassword(authorization);
      send(response, isValid ? 200 : 401, isValid ? { token: TOKEN } : { details: 'incorrect' });
    } else if (pathname === '/v2/') {
      if (isAuthorized(authorization)) send(response, 200, {});
      else send(response.setHeader('www-authenticate', challenge()), 401, { errors: [] });
    } else send(response, 404, {});
  }

  function isAuthorized(authorization: string | undefined): boolean {
    if (kind === 'open' && authorization === undefined) return true;
    return kind === 'bearer'
      ? authorization === `Bearer ${TOKEN}`
      : hasValidPassword(authorization);
  }

  function hasValidPassword(authorization: string | undefined): boolean {
    const encoded = authorization?.replace(/^Basic /, '') ?? '';
    const [username = '', ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
    return registry.accounts.get(username) === rest.join(':');
  }

  function challenge(): string {
    const realm = registry.realm ?? `${registry.url}/token`;
    return kind === 'bearer'
      ? `Bearer realm="${realm}",service="${SERVICE}"`
      : 'Basic realm="Registry"';
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
