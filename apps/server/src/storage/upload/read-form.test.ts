import { systemClock } from '@longshore/edge-contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readForm } from './read-form.ts';

type ReadPart = { name: string; filename?: string | undefined; text: string };
type SentForm = { body: string | Uint8Array; contentType?: string; chunkBytes?: number };

const FILE_FIELD = 'file[]';
const UNREADABLE = { status: 400, message: 'the request is not a readable multipart form' };

/** The files, then the fields. */
async function read({
  body,
  contentType = 'multipart/form-data; boundary=x',
  chunkBytes = 7,
}: SentForm): Promise<ReadPart[]> {
  const request = new Request('http://localhost/files', {
    method: 'POST',
    headers: { 'content-type': contentType },
    body: streamOf(Buffer.from(body), chunkBytes),
    duplex: 'half',
  } as RequestInit);
  const { files, fields } = await readForm<ReadPart>(request, {
    fileField: FILE_FIELD,
    clock: systemClock,
    async onFile(bytes, filename) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of bytes) chunks.push(chunk);
      return { name: FILE_FIELD, filename, text: Buffer.concat(chunks).toString() };
    },
  });
  return [...files, ...fields.map(({ name, value }) => ({ name, text: value }))];
}

function streamOf(bytes: Uint8Array, chunkBytes: number): ReadableStream<Uint8Array> {
  let sent = 0;
  return new ReadableStream({
    pull(controller) {
      if (sent >= bytes.length) controller.close();
      else controller.enqueue(bytes.slice(sent, sent + chunkBytes));
      sent += chunkBytes;
    },
  });
}

const part = (head: string, text: string) => `--x\r\n${head}\r\n\r\n${text}\r\n`;
const named = (parameters: string) => `Content-Disposition: form-data; ${parameters}`;

describe('the content type', () => {
  it.each([
    ['multipart/form-data; boundary=abc', 'abc'],
    ['Multipart/Form-Data; charset=utf-8; Boundary="a b"', 'a b'],
  ])('%s has a boundary', async (contentType, boundary) => {
    const body = `--${boundary}\r\n${named('name="a"')}\r\n\r\nb\r\n--${boundary}--`;
    expect(await read({ body, contentType })).toEqual([{ name: 'a', text: 'b' }]);
  });

  it.each([
    'text/plain',
    'multipart/form-data',
    'multipart/mixed; boundary=a',
    'multipart/form-data; boundary=',
    'application/x-www-form-urlencoded',
  ])('"%s" is refused', async (contentType) => {
    await expect(read({ body: '--a--', contentType })).rejects.toMatchObject(UNREADABLE);
  });
});

describe('a form', () => {
  it.each<[string, string, ReadPart[]]>([
    ['without parts', '--x--', []],
    ['with a field', `${part(named('name="a"'), 'hello')}--x--`, [{ name: 'a', text: 'hello' }]],
    ['with an empty field', `${part(named('name="a"'), '')}--x--`, [{ name: 'a', text: '' }]],
    [
      'with text before and after it',
      `hi\r\n${part(named('name="a"'), 'b')}--x--\r\nbye`,
      [{ name: 'a', text: 'b' }],
    ],
    [
      'with content that resembles its boundary',
      `${part(named('name="a"'), '\r\n--\r\n-x\r\n--')}--x--`,
      [{ name: 'a', text: '\r\n--\r\n-x\r\n--' }],
    ],
    [
      'with a field that has an empty file name',
      `${part(named('name="m"; filename=""'), '{}')}--x--`,
      [{ name: 'm', text: '{}' }],
    ],
    [
      'with a field that is sent as a file',
      `${part(named('name="m"; filename="blob"'), '1')}${part(named('name="m"'), '2')}--x--`,
      [
        { name: 'm', text: '1' },
        { name: 'm', text: '2' },
      ],
    ],
    [
      'with a path as a file name',
      `${part(named(String.raw`name="file[]"; filename="C:\\dir\\b.txt"`), '')}--x--`,
      [{ name: FILE_FIELD, filename: 'b.txt', text: '' }],
    ],
    [
      'with quotes in names',
      `${part(named(String.raw`name="a\"b%22c"`), '')}${part(named('name="file[]"; filename="c%22d"'), '')}--x--`,
      [
        { name: FILE_FIELD, filename: 'c"d', text: '' },
        { name: 'a"b"c', text: '' },
      ],
    ],
    [
      'with names without quotes',
      `${part(named('filename=b; name="file[]"'), '')}${part(named('name=a'), '')}--x--`,
      [
        { name: FILE_FIELD, filename: 'b', text: '' },
        { name: 'a', text: '' },
      ],
    ],
    [
      'with a file without a file name',
      `${part(named('name="file[]"'), 'hellö')}${part(named('name="a"'), 'b')}--x--`,
      [
        { name: FILE_FIELD, text: 'hellö' },
        { name: 'a', text: 'b' },
      ],
    ],
    [
      'with a field that declares its charset',
      `${part(`${named('name="a"')}\r\nContent-Type: text/plain; charset=utf-8`, 'hellö €')}--x--`,
      [{ name: 'a', text: 'hellö €' }],
    ],
    [
      'with text outside ASCII',
      `${part(named('name="a"'), 'hellö €')}--x--`,
      [{ name: 'a', text: 'hellö €' }],
    ],
    [
      'with a part that is no form field',
      `${part('Content-Disposition: attachment; name="a"', '')}${part(named('name="b"'), 'c')}--x--`,
      [{ name: 'b', text: 'c' }],
    ],
  ])('%s is read', async (_, body, parts) => {
    for (const chunkBytes of [1, 2, 5, 1_000]) {
      expect(await read({ body, chunkBytes })).toEqual(parts);
    }
  });

  it.each([
    ['is empty', ''],
    ['has no boundary', 'hello'],
    ['does not end', part(named('name="a"'), 'hello')],
    ['does not end within a file', part(named('name="file[]"; filename="a"'), 'hello')],
    ['ends within a part header', '--x\r\nContent-Disp'],
    ['has a part without a header', '--x\r\n\r\nhello\r\n--x--'],
    ['has a file without a name', `${part(named('filename="a"'), '')}--x--`],
    ['has a field without a name', `${part(named('filename=""'), '')}--x--`],
    [
      'has a file that begins with its last bytes',
      `--x\r\n${named('name="file[]"; filename="a"')}\r\n\r\n--`,
    ],
    ['has an endless part header', `--x\r\n${'a: b\r\n'.repeat(5_000)}`],
    [
      'has a field in an unknown encoding',
      `${part(`${named('name="a"')}\r\nContent-Type: text/plain; charset=nonsense`, 'b')}--x--`,
    ],
  ])('that %s is refused', async (_, body) => {
    for (const chunkBytes of [7, 100_000]) {
      await expect(read({ body, chunkBytes })).rejects.toMatchObject(UNREADABLE);
    }
  });
});

it('with a file after its end does not wait for the end of that file', async () => {
  const body = `--x--\r\n--x\r\n${part(named('name="file[]"; filename="a"'), 'hello')}`;
  await expect(read({ body, chunkBytes: 1_000 })).rejects.toMatchObject(UNREADABLE);
  expect(await read({ body, chunkBytes: 7 })).toEqual([]);
});

describe('reading', () => {
  const head = part(named('name="file[]"; filename="a"'), '').slice(0, -2);
  const request = (body: ReadableStream<Uint8Array>) =>
    new Request('http://localhost/files', {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      body,
      duplex: 'half',
    } as RequestInit);

  it('takes no more of the request than the files are read', async () => {
    let sentBytes = 0;
    const body = new ReadableStream({
      pull(controller) {
        const chunk = Buffer.from(sentBytes === 0 ? head : 'x'.repeat(10_000));
        sentBytes += chunk.length;
        controller.enqueue(chunk);
      },
    });
    const paused = Promise.withResolvers<never>();
    const reading = readForm(request(body), {
      fileField: FILE_FIELD,
      clock: systemClock,
      onFile: () => paused.promise,
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(sentBytes).toBeLessThan(200_000);
    paused.reject(new Error('no space left'));
    await expect(reading).rejects.toThrow('no space left');
  });

  it('ends when nothing arrives any more', async () => {
    const timers: (() => void)[] = [];
    const clock = { ...systemClock, setTimeout: (ring: () => void) => timers.push(ring) };
    const reading = readForm(request(new ReadableStream()), {
      fileField: FILE_FIELD,
      clock,
      onFile: async () => {},
    });
    timers[0]?.();
    await expect(reading).rejects.toMatchObject({ status: 408 });
  });

  it('handles one file at a time, and none after one that failed', async () => {
    const log: string[] = [];
    const files = ['a', 'b', 'c'].map((name) =>
      part(named(`name="file[]"; filename="${name}"`), name),
    );
    const reading = readForm(request(streamOf(Buffer.from(`${files.join('')}--x--`), 1_000)), {
      fileField: FILE_FIELD,
      clock: systemClock,
      async onFile(bytes, filename) {
        log.push(`begin ${filename}`);
        for await (const _ of bytes);
        if (filename === 'b') throw new Error('b is refused');
        log.push(`end ${filename}`);
      },
    });
    await expect(reading).rejects.toThrow('b is refused');
    expect(log).toEqual(['begin a', 'end a', 'begin b']);
  });
});

/** Node parses forms as well, but only in memory. */
it('is read as Node reads it', async () => {
  const text = fc.string({ unit: fc.constantFrom('a', '\r', '\n', '-', 'x', '"', '✓', '\0') });
  const name = fc.string({
    unit: fc.constantFrom('a', 'b', '"', '\r', '\n', '✓', ' ', ';', '='),
    minLength: 1,
  });
  const field = fc.record({ name, filename: fc.option(name, { nil: undefined }), text });
  await fc.assert(
    fc.asyncProperty(
      fc.array(field),
      fc.integer({ min: 1, max: 50 }),
      async (fields, chunkBytes) => {
        const form = new FormData();
        for (const { name, filename, text } of fields) {
          if (filename === undefined) form.append(name, text);
          else form.append(FILE_FIELD, new Blob([text]), filename);
        }
        const sent = new Response(form);
        const contentType = sent.headers.get('content-type') ?? '';
        const body = await sent.clone().bytes();
        const files: ReadPart[] = [];
        const texts: ReadPart[] = [];
        for (const [name, value] of await sent.formData()) {
          if (typeof value === 'string') texts.push({ name, text: value });
          else files.push({ name, filename: value.name, text: await value.text() });
        }
        expect(await read({ body, contentType, chunkBytes })).toEqual([...files, ...texts]);
      },
    ),
  );
});

it('keeps every byte of a file without a file name', async () => {
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, at) => at));
  const head = `--x\r\n${named('name="file[]"')}\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--x--')]);
  const request = new Request('http://localhost/files', {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    body,
  });
  const { files } = await readForm<Buffer>(request, {
    fileField: FILE_FIELD,
    clock: systemClock,
    async onFile(stream) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of stream) chunks.push(chunk);
      return Buffer.concat(chunks);
    },
  });
  expect(files).toEqual([bytes]);
});
