import { once } from 'node:events';
import { readdir, readlink } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import type { Session } from '@longshore/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Backend, bearer, startBackend } from '../../../test/backend.ts';
import { type FileMetadata, fileClient } from '../../../test/storage/file-client.ts';
import { type HttpServer, startHttpServer } from '../../http/server.ts';

/** Uses real connections, which can break. */
const SIZE = 20_000_000;

let backend: Backend;
let server: HttpServer;
let ada: Session;
let file: FileMetadata;
beforeAll(async () => {
  backend = await startBackend({ files: { maxFileBytes: SIZE, quotaBytes: SIZE } });
  ada = await backend.signUp();
  file = await fileClient(backend, ada).upload(new Uint8Array(SIZE));
  server = await startHttpServer({
    app: backend.app,
    publicUrl: 'http://localhost:1337',
    allowedOrigins: [],
    host: '127.0.0.1',
    port: 0,
    upgrades: {},
  });
});
afterAll(async () => {
  await server.stop();
  expect(backend.errors).toEqual([]);
  await backend.stop();
});

/** The number of stored files that this process has open. */
async function openFiles(): Promise<number> {
  const handles = await readdir('/proc/self/fd');
  const paths = await Promise.all(
    handles.map((handle) => readlink(`/proc/self/fd/${handle}`).catch(() => '')),
  );
  return paths.filter((path) => path.startsWith(join(backend.folder, 'files'))).length;
}

function send(method: string) {
  const path = `/v1/storage/files/${file.id}`;
  const sent = request({ port: server.port, path, method, headers: bearer(ada) });
  sent.on('error', () => {});
  return sent.end();
}

it('sends the length of a file for HEAD', async () => {
  const [response] = await once(send('HEAD'), 'response');
  expect(response.statusCode).toBe(200);
  expect(response.headers['content-length']).toBe(String(SIZE));
  expect(response.headers['content-type']).toBe('application/octet-stream');
});

it('closes the files of clients that disconnected', async () => {
  const readers = Array.from({ length: 20 }, () => send('GET'));
  await Promise.all(readers.map((reader) => once(reader, 'response')));
  expect(await openFiles()).toBe(20);
  for (const reader of readers) reader.destroy();
  await expect.poll(openFiles).toBe(0);
});
