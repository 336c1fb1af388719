import { once } from 'node:events';
import { connect } from 'node:net';
import type { Session } from '@longshore/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Backend, bearer, startBackend } from '../../../test/backend.ts';
import { filesOnDisk } from '../../../test/storage/file-client.ts';
import { type HttpServer, startHttpServer } from '../../http/server.ts';

let backend: Backend;
let server: HttpServer;
let ada: Session;
beforeAll(async () => {
  backend = await startBackend({ files: { maxFileBytes: 1_000_000 } });
  ada = await backend.signUp();
  server = await startHttpServer({
    app: backend.app,
    host: '127.0.0.1',
    port: 0,
    publicUrl: 'http://localhost',
    allowedOrigins: [],
    upgrades: {},
    uploads: ['/v1/storage'],
    // Shorter than the uploads below take: the limit does not apply to uploads.
    limits: { requestMs: 1 },
  });
});
afterAll(async () => {
  await server.stop();
  expect(backend.errors).toEqual([]);
  await backend.stop();
});

const HEAD = '--x\r\nContent-Disposition: form-data; name="file[]"; filename="a"\r\n\r\n';

/** Starts an upload without finishing it. */
async function beginUpload(bytes: string) {
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(
    [
      'POST /v1/storage/files HTTP/1.1',
      'Host: 127.0.0.1',
      `Authorization: ${bearer(ada).authorization}`,
      'Content-Type: multipart/form-data; boundary=x',
      'Content-Length: 900000',
      '',
      HEAD + bytes,
    ].join('\r\n'),
  );
  await once(socket, 'connect');
  return socket;
}

it('leaves no files of uploads whose clients disconnected', async () => {
  const sockets = await Promise.all(Array.from({ length: 5 }, () => beginUpload('half a file')));
  await expect.poll(() => filesOnDisk(backend)).toHaveLength(5);
  for (const socket of sockets) socket.destroy();
  await expect.poll(() => filesOnDisk(backend)).toEqual([]);
});

it('refuses a file that is too big while the client still sends', async () => {
  const chunk = new TextEncoder().encode('x'.repeat(100_000));
  let sent = 0;
  const body = new ReadableStream({
    pull(controller) {
      controller.enqueue(sent === 0 ? new TextEncoder().encode(HEAD) : chunk);
      sent += chunk.length;
      if (sent > 20_000_000) controller.close();
    },
  });
  const response = await fetch(`http://127.0.0.1:${server.port}/v1/storage/files`, {
    method: 'POST',
    headers: { ...bearer(ada), 'content-type': 'multipart/form-data; boundary=x' },
    body,
    duplex: 'half',
  } as RequestInit);
  expect(response.status).toBe(400);
  expect(response.headers.get('x-error')).toBe('file too big');
  expect(await filesOnDisk(backend)).toEqual([]);
});

it('times out a slow request that is not an upload', async () => {
  const socket = connect(server.port, '127.0.0.1');
  socket.write('POST /v1/auth/token HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n{');
  const [response] = (await once(socket, 'data')) as [Buffer];
  expect(String(response)).toMatch('HTTP/1.1 408 ');
  socket.destroy();
});
