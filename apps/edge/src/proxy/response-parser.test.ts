import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { headersOf, InvalidResponse } from './response-head.ts';
import { ResponseParser, type ResponseSink } from './response-parser.ts';

const GET = { isHead: false, isUpgrade: false };

/** What the parser delivers for bytes that arrive in these pieces. Pieces of a body are joined. */
function parse(pieces: Buffer[], { expected = GET, isEnded = false } = {}) {
  const parser = new ResponseParser();
  const events: unknown[] = [];
  let body = '';
  const sink: ResponseSink = {
    onInformation: ({ status }) => void events.push(['information', status]),
    onHead(head) {
      const { status, reason, lines, framing, keepsAlive } = head;
      // Visitors get them as they are.
      expect(lines).toMatch(/^(?:[^\r\n\0:]+: [^\r\n\0]*\r\n)*$/);
      events.push(['head', status, reason, headersOf(head), framing, keepsAlive]);
    },
    onBody(bytes, start, end) {
      body += bytes.toString('latin1', start, end);
    },
    onTrailers: (trailers) => void events.push(['trailers', trailers]),
    onComplete: () => void events.push(['complete']),
  };
  let surplus = 0;
  parser.begin(expected);
  try {
    for (const piece of pieces) surplus += piece.length - parser.read(piece, piece.length, sink);
    if (isEnded) parser.readEnd(sink);
  } catch (error) {
    if (!(error instanceof InvalidResponse)) throw error;
    events.push(['invalid']);
  }
  return { events, body, surplus, isComplete: parser.isComplete };
}

const parseText = (text: string, options = {}) => parse([Buffer.from(text, 'latin1')], options);
const isRefused = (text: string, options = {}) =>
  parseText(text, { isEnded: true, ...options }).events.some((event) =>
    (event as string[]).includes('invalid'),
  );

describe('the response parser refuses', () => {
  const OK = 'HTTP/1.1 200 OK\r\n';
  it.each([
    [
      'a length beside chunks',
      `${OK}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['differing lengths', `${OK}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello`],
    ['a list of lengths', `${OK}Content-Length: 5, 5\r\n\r\nhello`],
    ['a signed length', `${OK}Content-Length: +5\r\n\r\nhello`],
    ['an empty length', `${OK}Content-Length:\r\n\r\n`],
    ['a hexadecimal length', `${OK}Content-Length: 0x5\r\n\r\nhello`],
    ['a huge length', `${OK}Content-Length: 99999999999999999999\r\n\r\n`],
    ['another coding', `${OK}Transfer-Encoding: gzip\r\n\r\n`],
    ['two codings', `${OK}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
    [
      'chunks twice',
      `${OK}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['chunks in HTTP/1.0', 'HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['a folded header', `${OK}X-A: b\r\n c\r\nContent-Length: 0\r\n\r\n`],
    ['a space before a colon', `${OK}Content-Length : 0\r\n\r\n`],
    ['a header without name', `${OK}: b\r\nContent-Length: 0\r\n\r\n`],
    ['a line without colon', `${OK}X-A\r\nContent-Length: 0\r\n\r\n`],
    ['a bare CR', `${OK}X-A: b\rSet-Cookie: c\r\nContent-Length: 0\r\n\r\n`],
    ['a bare LF', `${OK}X-A: b\nSet-Cookie: c\r\nContent-Length: 0\r\n\r\n`],
    ['NUL', `${OK}X-A: \0\r\nContent-Length: 0\r\n\r\n`],
    ['lines that end with LF', 'HTTP/1.1 200 OK\nContent-Length: 0\n\n'],
    ['an empty line before the head', `\r\n${OK}Content-Length: 0\r\n\r\n`],
    ['another protocol', 'ICY 200 OK\r\nContent-Length: 0\r\n\r\n'],
    ['HTTP/2', 'HTTP/2 200 OK\r\nContent-Length: 0\r\n\r\n'],
    ['a status of two digits', 'HTTP/1.1 20 OK\r\nContent-Length: 0\r\n\r\n'],
    ['a status below 100', 'HTTP/1.1 042 Odd\r\nContent-Length: 0\r\n\r\n'],
    ['a control character in the reason', 'HTTP/1.1 200 O\x01K\r\nContent-Length: 0\r\n\r\n'],
    [
      '101 without a request for it',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n',
    ],
    ['endless 1xx', `${'HTTP/1.1 100 Continue\r\n\r\n'.repeat(40)}${OK}Content-Length: 0\r\n\r\n`],
    ['a head that is too long', `${OK}X-A: ${'x'.repeat(70_000)}\r\n\r\n`],
    ['a chunk size with a sign', `${OK}Transfer-Encoding: chunked\r\n\r\n+5\r\nhello\r\n0\r\n\r\n`],
    ['a chunk size with 0x', `${OK}Transfer-Encoding: chunked\r\n\r\n0x5\r\nhello\r\n0\r\n\r\n`],
    ['an empty chunk size', `${OK}Transfer-Encoding: chunked\r\n\r\n\r\nhello\r\n0\r\n\r\n`],
    ['a huge chunk size', `${OK}Transfer-Encoding: chunked\r\n\r\nfffffffffffffff\r\nhello`],
    ['a chunk that is too long', `${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nhello!\r\n0\r\n\r\n`],
    [
      'a long chunk extension',
      `${OK}Transfer-Encoding: chunked\r\n\r\n5;${'x'.repeat(300)}\r\nhello`,
    ],
    ['an invalid trailer', `${OK}Transfer-Encoding: chunked\r\n\r\n0\r\nX A: b\r\n\r\n`],
    ['a body that ends early', `${OK}Content-Length: 5\r\n\r\nhell`],
    ['chunks that end early', `${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n`],
    ['a head that ends early', 'HTTP/1.1 200 OK\r\nContent-Le'],
    ['nothing', ''],
  ])('%s', (_what, text) => {
    expect(isRefused(text)).toBe(true);
  });

  it('a switch to another protocol than websocket', () => {
    const upgrade = { expected: { isHead: false, isUpgrade: true } };
    const head = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: ';
    expect(isRefused(`${head}h2c\r\n\r\n`, upgrade)).toBe(true);
    expect(isRefused(`${head}WebSocket\r\n\r\n`, upgrade)).toBe(false);
  });
});

describe('the response parser', () => {
  it.each([
    ['HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello', 'hello', 0],
    ['HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello', 'hello', 0],
    ['HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nhello', 'he', 3],
    [
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3;a=b\r\nllo\r\n0\r\n\r\n',
      'hello',
      0,
    ],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n0\r\nX-A: b\r\n\r\nHTTP/1.1 ', '', 9],
    ['HTTP/1.1 200 OK\r\n\r\nuntil the end', 'until the end', 0],
    ['HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi', 'hi', 0],
    ['HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello', '', 5],
    ['HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n', '', 0],
    ['HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', '', 0],
  ])('reads %j', (text, body, surplus) => {
    const read = parseText(text, { isEnded: true });
    expect(read).toMatchObject({ body, surplus, isComplete: true });
    expect(read.events.at(-1)).toEqual(['complete']);
  });

  it('expects no body after HEAD', () => {
    const text = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n';
    const read = parseText(text, { expected: { isHead: true, isUpgrade: false } });
    expect(read.isComplete).toBe(true);
    expect(read.events[0]).toEqual(['head', 200, 'OK', ['Content-Length', '5'], 'none', true]);
  });

  it('drops hop-by-hop headers and those that Connection names', () => {
    const { events } = parseText(
      'HTTP/1.1 200 OK\r\nX-Own: a\r\nConnection: close, X-Own\r\nKeep-Alive: timeout=5\r\nx-B:  c \t\r\nTE: d\r\nContent-Length: 0\r\n\r\n',
    );
    expect(events[0]).toEqual([
      'head',
      200,
      'OK',
      ['x-B', 'c', 'Content-Length', '0'],
      'length',
      false,
    ]);
  });

  it('accepts a head of 64 KiB, however it arrives', () => {
    const head = (bytes: number) => `HTTP/1.1 204 No\r\nX-A: ${'x'.repeat(bytes - 26)}\r\n\r\n`;
    for (const [bytes, last] of [
      [65_536, ['complete']],
      [65_537, ['invalid']],
    ] as const) {
      const whole = Buffer.from(head(bytes));
      expect(whole.length).toBe(bytes);
      const pieces = [whole.subarray(0, 2_000), whole.subarray(2_000, -2), whole.subarray(-2)];
      expect(parse([whole]).events.at(-1)).toEqual(last);
      expect(parse(pieces).events.at(-1)).toEqual(last);
    }
  });

  it('passes on harmless trailers only', () => {
    const { events } = parseText(
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX-Sum: 1\r\nContent-Length: 3\r\nSet-Cookie: a\r\nConnection: x\r\n\r\n',
    );
    expect(events[1]).toEqual(['trailers', ['X-Sum', '1']]);
  });
});

describe('any split of the bytes', () => {
  const token = fc.stringMatching(/^[A-Za-z][\w-]{0,12}$/);
  const value = fc.stringMatching(/^[ -~\x80-\xff]{0,40}$/);
  const header = fc.tuple(token, value).map(([name, text]) => `X-${name}: ${text}\r\n`);
  const body = fc
    .string({ unit: 'binary', maxLength: 200 })
    .map((text) => text.replace(/[^\0-\xff]/g, '?'));
  const chunks = fc.array(body, { maxLength: 5 });
  const framed = fc.oneof(
    body.map((text) => `Content-Length: ${text.length}\r\n\r\n${text}`),
    body.map((text) => `\r\n${text}`),
    fc.tuple(chunks, fc.array(header, { maxLength: 2 })).map(
      ([parts, trailers]) =>
        `Transfer-Encoding: chunked\r\n\r\n${parts
          .filter((part) => part !== '')
          .map((part) => `${part.length.toString(16)}\r\n${part}\r\n`)
          .join('')}0\r\n${trailers.join('')}\r\n`,
    ),
  );
  const valid = fc
    .tuple(fc.integer({ min: 100, max: 999 }), fc.array(header, { maxLength: 4 }), framed)
    .map(([status, headers, rest]) => `HTTP/1.1 ${status} Text\r\n${headers.join('')}${rest}`);
  /** Valid responses with a byte changed, and arbitrary bytes. */
  const spoiled = fc.tuple(valid, fc.nat(), fc.nat(255)).map(([text, at, code]) => {
    const index = at % text.length;
    return text.slice(0, index) + String.fromCharCode(code) + text.slice(index + 1);
  });
  const bytes = fc
    .oneof(valid, spoiled, fc.string({ unit: 'binary' }))
    .map((text) => Buffer.from(text, 'latin1'));

  function split(whole: Buffer, cuts: number[]): Buffer[] {
    const positions = [...new Set(cuts.map((cut) => cut % (whole.length + 1)))].sort(
      (a, b) => a - b,
    );
    return [0, ...positions].map((start, index) =>
      whole.subarray(start, positions[index] ?? whole.length),
    );
  }

  it('has the same result', () => {
    fc.assert(
      fc.property(
        bytes,
        fc.array(fc.nat(), { maxLength: 8 }),
        fc.boolean(),
        (whole, cuts, isHead) => {
          const options = { expected: { isHead, isUpgrade: false }, isEnded: true };
          const atOnce = parse([whole], options);
          expect(parse(split(whole, cuts), options)).toEqual(atOnce);
          expect(parse(split(whole, [...whole.keys()]), options)).toEqual(atOnce);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('never delivers a header with a line break', () => {
    fc.assert(
      fc.property(bytes, (whole) => {
        for (const event of parse([whole], { isEnded: true }).events) {
          expect((event as unknown[]).slice(2).flat().join()).not.toMatch(/[\r\n\0]/);
        }
      }),
      { numRuns: 500 },
    );
  });
});
