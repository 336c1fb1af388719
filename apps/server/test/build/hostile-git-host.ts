import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a hostile host sends for the only branch of its repository. */
export type HostileRepository = { commit: string; pack: Iterable<Buffer> };

export type HostileGitHost = { url: string; stop(): Promise<void> };

/** A git host over http that sends whatever a test wants, as git's own server would not. */
export async function startHostileGitHost(
  repository: HostileRepository | ((request: IncomingMessage, response: ServerResponse) => void),
): Promise<HostileGitHost> {
  const server = createServer((request, response) => {
    if (typeof repository === 'function') return repository(request, response);
    if (request.method === 'GET') return advertise(response, repository.commit);
    void answerFetch(request, response, repository);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hostile.git`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function advertise(response: ServerResponse, commit: string): void {
  const refs = [`${commit} HEAD\0shallow`, `${commit} refs/heads/main`];
  response.setHeader('content-type', 'application/x-git-upload-pack-advertisement');
  response.write(`${packetLine('# service=git-upload-pack\n')}0000`);
  response.end(`${refs.map((ref) => packetLine(`${ref}\n`)).join('')}0000`);
}

export function packetLine(text: string): string {
  return `${(text.length + 4).toString(16).padStart(4, '0')}${text}`;
}

/** Protocol version 0: git asks for the shallow commits first, then for the pack. */
async function answerFetch(
  request: IncomingMessage,
  response: ServerResponse,
  { commit, pack }: HostileRepository,
): Promise<void> {
  const body = await request.toArray();
  response.on('error', () => {});
  response.setHeader('content-type', 'application/x-git-upload-pack-result');
  response.write(`${packetLine(`shallow ${commit}`)}0000`);
  if (!Buffer.concat(body).toString('latin1').includes('done')) return void response.end();
  response.write(packetLine('NAK\n'));
  for (const part of pack) {
    if (response.destroyed) return;
    if (!response.write(part)) await new Promise((resolve) => response.once('drain', resolve));
  }
  response.end();
}
