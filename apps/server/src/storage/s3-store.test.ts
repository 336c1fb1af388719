import { randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { chunksOf, describeFileStore } from '../../test/storage/file-store-contract.ts';
import { hasS3Server, type S3Server, startS3Server } from '../../test/storage/s3-server.ts';
import { Secret } from '../secrets/secret.ts';
import { type FileStore, FileStoreDown } from './file-store.ts';
import { bucketProblem, openS3Store, type S3Settings } from './s3-store.ts';

/** Once per machine. */
const COMPILE_MS = 900_000;
const MEGABYTE = 1024 ** 2;
/** The smallest that stores accept. */
const partBytes = 5 * MEGABYTE;

describe.skipIf(!hasS3Server)('with an object store', () => {
  let server: S3Server;
  beforeAll(async () => {
    server = await startS3Server();
  }, COMPILE_MS);
  afterAll(() => server?.stop());

  const open = (): FileStore =>
    openS3Store({ ...server.settings, folder: randomUUID(), partBytes });

  describeFileStore('the S3 store', async () => open());

  it.each([
    ['one part', [5 * MEGABYTE]],
    ['a part and a byte', [5 * MEGABYTE, 1]],
    ['several parts that arrive in one piece', [12 * MEGABYTE]],
    ['several parts that arrive in pieces', Array.from({ length: 13 }, () => MEGABYTE)],
  ])('stores %s', async (_, sizes) => {
    const store = open();
    const pieces = sizes.map((size) => randomBytes(size));
    const key = await store.write(
      (async function* () {
        yield* pieces;
      })(),
    );
    const stored = await store.read(key);
    expect(stored && Buffer.concat(pieces).equals(await buffer(stored))).toBe(true);
  });

  it('leaves nothing of a file whose later parts do not arrive', async () => {
    const before = (await server.names()).length;
    const large = 'x'.repeat(6 * MEGABYTE);
    const cut = open().write(chunksOf(large, large, new Error('gone')));
    await expect(cut).rejects.toThrow('gone');
    expect(await server.names()).toHaveLength(before);
  });

  it('lists more files than fit into one answer', async () => {
    const store = open();
    const written = new Set<string>();
    for (let index = 0; index < 26; index += 1) {
      const keys = Array.from({ length: 20 }, () => store.write(chunksOf('a')));
      for (const key of await Promise.all(keys)) written.add(key);
    }
    const listed = new Set<string>();
    for await (const batch of store.list()) for (const { key } of batch) listed.add(key);
    expect(listed).toEqual(written);
  });

  it.each<[string, Partial<S3Settings>, string]>([
    ['a bucket that does not exist', { bucket: 'nowhere' }, 'there is no bucket nowhere for'],
    ['an unknown access key', { accessKeyId: 'eve' }, 'for this access key'],
    ['a wrong secret', { secretAccessKey: new Secret('guessed') }, 'S3 returned 403'],
  ])('explains %s', async (_, wrong, expected) => {
    expect(await bucketProblem(server.settings)).toBeUndefined();
    expect(await bucketProblem({ ...server.settings, ...wrong })).toContain(expected);
  });
});

it.each([
  ['does not answer', undefined],
  ['fails', 503],
])('says that an object store is down if it %s', async (_, status) => {
  const server = createServer((request, response) => {
    if (status === undefined) request.destroy();
    else response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const store = openS3Store({
    endpoint: `http://127.0.0.1:${port}`,
    bucket: 'longshore',
    region: 'us-east-1',
    accessKeyId: 'a',
    secretAccessKey: new Secret('b'),
    prefix: '',
    folder: 'files',
  });
  await expect(store.write(chunksOf('a'))).rejects.toThrow(FileStoreDown);
  await expect(store.read('a')).rejects.toThrow(FileStoreDown);
});
