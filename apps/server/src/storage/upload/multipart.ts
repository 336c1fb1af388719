import { type ByteScanner, createByteScanner } from './byte-scanner.ts';
import { MalformedForm } from './malformed-form.ts';
import { type PartHead, parsePartHead } from './part-head.ts';

/** A part of a form. Its bytes have to be read before the next part is asked for. */
export type Part = PartHead & { bytes: AsyncIterable<Uint8Array> };

const LINE_END = Buffer.from('\r\n');
const HEAD_END = Buffer.from('\r\n\r\n');
const MAX_HEAD_BYTES = 10_000;
const BOUNDARY = /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i;

export function boundaryOf(contentType: string): string {
  const [, quoted, bare] = BOUNDARY.exec(contentType) ?? [];
  const boundary = quoted ?? bare;
  if (boundary === undefined) throw new MalformedForm('There is no boundary');
  return boundary;
}

/** The parts of a multipart form (RFC 7578), one after the other, at the pace of whoever reads them. */
export async function* partsOf(
  chunks: AsyncIterator<Uint8Array>,
  boundary: string,
): AsyncGenerator<Part> {
  // Every boundary follows a line end. The first one may stand at the very beginning.
  const scanner = createByteScanner(chunks, LINE_END);
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  await textUntil(delimiter, scanner);
  while (await hasNextPart(scanner)) {
    // The line end after the boundary may be the first half of the empty line that ends the head.
    const head = parsePartHead(await textUntil(HEAD_END, scanner));
    if (head === undefined) throw new MalformedForm('A part has no name');
    yield { ...head, bytes: scanner.until(delimiter) };
  }
}

async function hasNextPart(scanner: ByteScanner): Promise<boolean> {
  for (;;) {
    const next = (await scanner.peek(2)).toString('latin1');
    if (next === '--') return false;
    if (next === '\r\n') return true;
    // RFC 2046 lets spaces follow a boundary.
    if (!/^[ \t]/.test(next)) throw new MalformedForm('A boundary does not end');
    scanner.skip(1);
  }
}

async function textUntil(mark: Buffer, scanner: ByteScanner): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of scanner.until(mark)) {
    size += piece.length;
    if (size > MAX_HEAD_BYTES) throw new MalformedForm('A head is too long');
    pieces.push(Buffer.from(piece));
  }
  return Buffer.concat(pieces).toString('utf8');
}
