import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How a registry asks for credentials: at the door, by a token of its own or another's, or not at all. */
export type RegistryKind = 'basic' | 'bearer' | 'open';

/** A registry as far as signing in goes, as distribution's documentation describes it. */
export type RegistryHost = {
  /** With its port, as image names begin with it. */
  host: string;
  url: string;
  accounts: Map<string, string>;
  /** `method path` of every request so far, with whether it brought credentials. */
  requests: { path: string; authorization: string | undefined }[];
  /** Answers in place of the registry. */
  intercept: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  /** Where the tokens are handed out; its own address by itself. */
  realm: string | undefined;
  close(): Promise<void>;
};

const TOKEN = 'a-token-of-the-registry';
const SERVICE = 'registry.example';

export async function startRegistryHost(kind: RegistryKind): Promise<RegistryHost> {
  const server = createServer((request, response) => answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const host: RegistryHost = {
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
  return host;

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const { authorization } = request.headers;
    const { pathname, searchParams } = new URL(request.url ?? '/', host.url);
    host.requests.push({ path: pathname, authorization });
    if (host.intercept?.(request, response)) return;
    if (pathname === '/token') {
      const isGood = searchParams.get('service') === SERVICE && isKnown(authorization);
      send(response, isGood ? 200 : 401, isGood ? { token: TOKEN } : { details: 'incorrect' });
    } else if (pathname === '/v2/') {
      if (isLetIn(authorization)) send(response, 200, {});
      else send(response.setHeader('www-authenticate', challenge()), 401, { errors: [] });
    } else send(response, 404, {});
  }

  function isLetIn(authorization: string | undefined): boolean {
    if (kind === 'open' && authorization === undefined) return true;
    return kind === 'bearer' ? authorization === `Bearer ${TOKEN}` : isKnown(authorization);
  }

  function isKnown(authorization: string | undefined): boolean {
    const encoded = authorization?.replace(/^Basic /, '') ?? '';
    const [username = '', ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
    return host.accounts.get(username) === rest.join(':');
  }

  function challenge(): string {
    const realm = host.realm ?? `${host.url}/token`;
    return kind === 'bearer'
      ? `Bearer realm="${realm}",service="${SERVICE}"`
      : 'Basic realm="Registry"';
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
