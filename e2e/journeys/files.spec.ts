import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ReadableStream } from 'node:stream/web';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newDataDir } from '../support/empty-database.ts';
import { freePort } from '../support/free-port.ts';
import { type Longshore, type LongshoreOptions, startLongshore } from '../support/longshore.ts';
import { connectNhost4, newEmail, PASSWORD } from '../support/nhost.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';

/** Large files, and a server that is killed during an upload. */
const MEGABYTE = 1_000_000;
const LARGE_MB = 200;
/** Buffers in flight and garbage not collected yet. The file itself is several times larger. */
const MAX_GROWTH_MB = 120;

let folder: TemporaryFolder;
let options: LongshoreOptions;
let longshore: Longshore;
let nhost: ReturnType<typeof connectNhost4>;

beforeAll(async () => {
  folder = await temporaryFolder();
  options = {
    dataDir: await newDataDir(folder.path),
    port: await freePort(),
    ingressPort: await freePort(),
    env: { LONGSHORE_MAX_FILE_BYTES: String(LARGE_MB * MEGABYTE) },
  };
  longshore = await startLongshore(options);
  nhost = connectNhost4(longshore.url);
  await nhost.auth.signUpEmailPassword({ email: newEmail(), password: PASSWORD });
});
afterAll(async () => {
  expect(await longshore?.stop()).toBe(0);
  await folder?.remove();
});

const onDisk = async () =>
  (
    await Promise.all(
      ['incoming', 'kept'].map((name) => readdir(join(options.dataDir, 'files', name))),
    )
  ).flat();

async function memoryMb(): Promise<number> {
  const status = await readFile(`/proc/${longshore.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_000;
}

const HEAD = '--x\r\nContent-Disposition: form-data; name="file[]"; filename="large"\r\n\r\n';

/** An upload whose bytes are generated on demand. */
function upload(chunks: AsyncIterable<Uint8Array>, signal: AbortSignal | null = null) {
  const body = ReadableStream.from(
    (async function* form() {
      yield Buffer.from(HEAD);
      yield* chunks;
      yield Buffer.from('\r\n--x--\r\n');
    })(),
  );
  return fetch(`${longshore.url}/v1/storage/files`, {
    method: 'POST',
    signal,
    headers: {
      authorization: `Bearer ${nhost.getUserSession()?.accessToken}`,
      'content-type': 'multipart/form-data; boundary=x',
    },
    body,
    duplex: 'half',
  } as RequestInit);
}

it('uploads and downloads a large file without buffering it', async () => {
  const chunk = Buffer.alloc(MEGABYTE, 'longshore');
  const before = await memoryMb();
  let peak = before;
  const response = await upload(
    (async function* large() {
      for (let sent = 0; sent < LARGE_MB; sent += 1) {
        peak = Math.max(peak, await memoryMb());
        yield chunk;
      }
    })(),
  );
  expect(response.status).toBe(201);
  const { processedFiles } = (await response.json()) as { processedFiles: { id: string }[] };
  const id = processedFiles[0]?.id ?? '';

  const { url } = (await nhost.storage.getFilePresignedURL(id)).body;
  let received = 0;
  for await (const part of (await fetch(url)).body ?? []) {
    received += part.length;
    peak = Math.max(peak, await memoryMb());
  }
  expect(received).toBe(LARGE_MB * MEGABYTE);
  console.info(`memory grew by ${Math.round(peak - before)} MB for a file of ${LARGE_MB} MB`);
  expect(peak - before).toBeLessThan(MAX_GROWTH_MB);
  await nhost.storage.deleteFile(id);
  expect(await onDisk()).toEqual([]);
});

it('removes an upload that a server kill interrupted, and keeps earlier files', async () => {
  const { body } = await nhost.storage.uploadFiles({ 'file[]': [new File(['kept'], 'a')] });
  const filesBefore = await onDisk();
  const interrupted = upload(
    (async function* endless() {
      for (;;) {
        yield Buffer.alloc(100_000);
        await new Promise((resolve) => setImmediate(resolve));
      }
    })(),
  ).catch(() => undefined);
  await expect.poll(onDisk).toHaveLength(2);
  await longshore.kill();
  await interrupted;
  expect(await onDisk()).toHaveLength(2);

  longshore = await startLongshore(options);
  await expect.poll(onDisk).toEqual(filesBefore);
  const file = await nhost.storage.getFile(body.processedFiles[0]?.id ?? '');
  expect(await file.body.text()).toBe('kept');
});
