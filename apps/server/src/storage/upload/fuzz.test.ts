import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Backend, startBackend } from '../../../test/backend.ts';
import { fileClient, filesOnDisk } from '../../../test/storage/file-client.ts';

let backend: Backend;
let client: ReturnType<typeof fileClient>;
beforeAll(async () => {
  backend = await startBackend({ files: { maxFileBytes: 500, quotaBytes: 5_000 } });
  client = fileClient(backend, await backend.signUp());
});
afterAll(async () => {
  expect(backend.errors).toEqual([]);
  await backend.stop();
});

/** Complete and incomplete parts of real forms, in any order. */
const piece = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      '--x\r\n',
      '\r\n--x\r\n',
      '\r\n--x--\r\n',
      '--x--',
      '\r\n',
      '\r\n\r\n',
    ),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      'Content-Disposition: form-data; name="file[]"; filename="a.txt"\r\n\r\n',
      'Content-Disposition: form-data; name="metadata[]"; filename=""\r\n',
      'Content-Disposition: form-data; name="bucket-id"\r\n\r\ndefault',
      'Content-Disposition: form-data; name="file[]"; filename*=UTF-8\'\'%ff%zz\r\n\r\n',
      'Content-Type: application/json; charset=nonsense\r\n\r\n',
      'Content-Transfer-Encoding: base64\r\n\r\n',
      'Content-Disposition: attachment; name=\r\n\r\n',
      '{"name":"n","metadata":{}}',
      '{"id":"00000000-0000-4000-8000-000000000001"}',
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 50 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('x'.repeat(600), '\0'.repeat(100), 'a: b\r\n'.repeat(40)),
  },
);
const body = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''));

/** The bytes in chunks of this size. */
function arriving(bytes: Uint8Array, chunkBytes: number): ReadableStream<Uint8Array> {
  let sent = 0;
  return new ReadableStream({
    pull(controller) {
      if (sent >= bytes.length) controller.close();
      else controller.enqueue(bytes.slice(sent, sent + chunkBytes));
      sent += chunkBytes;
    },
  });
}

it('never fails with a server error, and leaves no files of a refused form', async () => {
  await fc.assert(
    fc.asyncProperty(body, fc.integer({ min: 1, max: 300 }), async (text, chunkBytes) => {
      const before = (await filesOnDisk(backend)).length;
      const response = await client.request('/files', {
        method: 'POST',
        headers: { 'content-type': 'multipart/form-data; boundary=x' },
        body: arriving(Buffer.from(text), chunkBytes),
        duplex: 'half',
      } as RequestInit);
      const { processedFiles = [] } = (await response.json()) as { processedFiles?: unknown[] };
      expect(response.status).toBeLessThan(500);
      expect(response.status === 201).toBe(processedFiles.length > 0 && response.ok);
      expect(await filesOnDisk(backend)).toHaveLength(before + processedFiles.length);
    }),
    { numRuns: 300 },
  );
});
