import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MalformedForm } from './malformed-form.ts';
import { boundaryOf, partsOf } from './multipart.ts';

type ReadPart = { name: string; filename: string | undefined; text: string };

async function* chunked(bytes: Uint8Array, chunkBytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}

async function read(
  form: string | Uint8Array,
  boundary = 'x',
  chunkBytes = 7,
): Promise<ReadPart[]> {
  const parts: ReadPart[] = [];
  for await (const { bytes, ...head } of partsOf(
    chunked(Buffer.from(form), chunkBytes),
    boundary,
  )) {
    const pieces: Uint8Array[] = [];
    for await (const piece of bytes) pieces.push(Buffer.from(piece));
    parts.push({ ...head, text: Buffer.concat(pieces).toString() });
  }
  return parts;
}

const part = (head: string, text: string) => `--x\r\n${head}\r\n\r\n${text}\r\n`;
const named = (parameters: string) => `Content-Disposition: form-data; ${parameters}`;

describe('the boundary', () => {
  it.each([
    ['multipart/form-data; boundary=abc', 'abc'],
    ['Multipart/Form-Data; charset=utf-8; Boundary="a b"', 'a b'],
  ])('of %s', (contentType, boundary) => {
    expect(boundaryOf(contentType)).toBe(boundary);
  });

  it.each([
    '',
    'multipart/form-data',
    'multipart/mixed; boundary=a',
    'multipart/form-data; boundary=',
  ])('is missed in "%s"', (contentType) => {
    expect(() => boundaryOf(contentType)).toThrow(MalformedForm);
  });
});

describe('a form', () => {
  it.each<[string, string, ReadPart[]]>([
    ['of nothing', '--x--', []],
    [
      'of one part',
      `${part(named('name="a"'), 'hello')}--x--`,
      [{ name: 'a', filename: undefined, text: 'hello' }],
    ],
    [
      'of an empty part',
      `${part(named('name="a"'), '')}--x--`,
      [{ name: 'a', filename: undefined, text: '' }],
    ],
    [
      'with words before and after',
      `hi\r\n${part(named('name="a"'), 'b')}--x--\r\nbye`,
      [{ name: 'a', filename: undefined, text: 'b' }],
    ],
    [
      'with spaces after a boundary',
      `--x \t\r\n${named('name="a"')}\r\n\r\nb\r\n--x--`,
      [{ name: 'a', filename: undefined, text: 'b' }],
    ],
    [
      'that nearly holds its boundary',
      `${part(named('name="a"'), '\r\n--\r\n-x\r\n--')}--x--`,
      [{ name: 'a', filename: undefined, text: '\r\n--\r\n-x\r\n--' }],
    ],
    [
      'with an empty file name',
      `${part(named('name="m"; filename=""'), '{}')}--x--`,
      [{ name: 'm', filename: '', text: '{}' }],
    ],
    [
      'with a path for a file name',
      `${part(named(String.raw`name="a"; filename="C:\\dir\\b.txt"`), '')}--x--`,
      [{ name: 'a', filename: 'b.txt', text: '' }],
    ],
    [
      'with quotes in names',
      `${part(named(String.raw`name="a\"b"; filename="c%22d"`), '')}--x--`,
      [{ name: 'a"b', filename: 'c"d', text: '' }],
    ],
    [
      'with bare names',
      `${part(named('filename=b; name=a'), '')}--x--`,
      [{ name: 'a', filename: 'b', text: '' }],
    ],
  ])('%s is read', async (_, form, parts) => {
    for (const chunkBytes of [1, 2, 5, 1_000])
      expect(await read(form, 'x', chunkBytes)).toEqual(parts);
  });

  it.each([
    ['is empty', ''],
    ['does not begin', 'hello'],
    ['does not end', part(named('name="a"'), 'hello')],
    ['ends within a head', '--x\r\nContent-Disp'],
    ['has a part without a head', '--x\r\n\r\nhello\r\n--x--'],
    ['has a part without a name', `${part(named('filename="a"'), '')}--x--`],
    ['has a part of another kind', `${part('Content-Disposition: attachment; name="a"', '')}--x--`],
    ['has a longer boundary', `--xy\r\n${named('name="a"')}\r\n\r\n\r\n--x--`],
    ['has an endless head', `--x\r\n${'a: b\r\n'.repeat(5_000)}`],
  ])('that %s is none', async (_, form) => {
    await expect(read(form)).rejects.toThrow(MalformedForm);
  });
});

/** Node itself reads forms too, though not without holding them. */
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
          else form.append(name, new Blob([text]), filename);
        }
        const sent = new Response(form);
        const contentType = sent.headers.get('content-type') ?? '';
        const bytes = await sent.clone().bytes();
        const expected: ReadPart[] = [];
        for (const [name, value] of await sent.formData()) {
          if (typeof value === 'string') expected.push({ name, filename: undefined, text: value });
          else expected.push({ name, filename: value.name, text: await value.text() });
        }
        expect(await read(bytes, boundaryOf(contentType), chunkBytes)).toEqual(expected);
      },
    ),
  );
});
