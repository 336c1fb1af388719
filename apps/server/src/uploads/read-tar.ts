import { isUtf8 } from 'node:buffer';
import { ArchiveProblem, shownName } from './archive-problem.ts';

/** One member of an archive, as its header and the extended headers before it describe it. */
export type TarHeader = {
  path: string;
  /** The type flag: '0' for a file, '2' for a link, '5' for a folder. */
  type: string;
  size: number;
  mode: number;
  /** In seconds. */
  modifiedAt: number;
  linkTarget: string;
};

/** A header, and then the bytes of its file in pieces. */
export type TarPart = { header: TarHeader } | { bytes: Buffer };

const BLOCK = 512;
/** Of one extended header: some systems store file attributes in it. */
const MAX_EXTENDED_BYTES = 1_048_576;
/** Archives are padded to a multiple of their record size. */
const MAX_BYTES_AFTER_END = 1_048_576;

const CUT_OFF = 'The archive is incomplete: its end is missing';

/**
 * Reads ustar, pax and GNU archives. The bytes of a member must be consumed, or at least requested: the generator holds at
 * most one piece of the archive.
 */
export async function* readTar(chunks: AsyncIterable<Buffer>): AsyncGenerator<TarPart> {
  const input = createInput(chunks);
  let extended: Extended = {};
  for (;;) {
    const block = await input.read(BLOCK);
    if (block === undefined) throw new ArchiveProblem(CUT_OFF);
    if (block.every((byte) => byte === 0)) break;
    const header = parseHeader(block);
    const padding = -header.size & (BLOCK - 1);
    if (EXTENDED_TYPES.has(header.type)) {
      if (header.size > MAX_EXTENDED_BYTES) throw new ArchiveProblem('A header is too large');
      const content = await required(input, header.size);
      await required(input, padding);
      extended = { ...extended, ...parseExtended(header.type, content) };
      continue;
    }
    const size = hasContent(header) ? (extended.size ?? header.size) : 0;
    yield { header: { ...header, ...extended, size } };
    extended = {};
    for (let left = size; left > 0; ) {
      const bytes = await input.take(left);
      if (bytes === undefined) throw new ArchiveProblem(CUT_OFF);
      left -= bytes.length;
      yield { bytes };
    }
    await required(input, -size & (BLOCK - 1));
  }
  await skipEnd(input);
}

type Input = {
  /** Exactly so many bytes; undefined if the input ends before. */
  read(count: number): Promise<Buffer | undefined>;
  /** At least one and at most so many bytes; undefined at the end of the input. */
  take(max: number): Promise<Buffer | undefined>;
};

function createInput(chunks: AsyncIterable<Buffer>): Input {
  const iterator = chunks[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  async function take(max: number): Promise<Buffer | undefined> {
    while (rest.length === 0) {
      const { done, value } = await iterator.next();
      if (done) return undefined;
      rest = value;
    }
    const taken = rest.subarray(0, max);
    rest = rest.subarray(taken.length);
    return taken;
  }
  return {
    take,
    async read(count) {
      const pieces: Buffer[] = [];
      for (let left = count; left > 0; ) {
        const piece = await take(left);
        if (piece === undefined) return undefined;
        pieces.push(piece);
        left -= piece.length;
      }
      return pieces.length === 1 ? pieces[0] : Buffer.concat(pieces);
    },
  };
}

async function required(input: Input, count: number): Promise<Buffer> {
  const bytes = await input.read(count);
  if (bytes === undefined) throw new ArchiveProblem(CUT_OFF);
  return bytes;
}

/** What follows the end of the archive is not part of it. */
async function skipEnd(input: Input): Promise<void> {
  for (let skipped = 0; ; ) {
    const bytes = await input.take(BLOCK * BLOCK);
    if (bytes === undefined) return;
    skipped += bytes.length;
    if (skipped > MAX_BYTES_AFTER_END) {
      throw new ArchiveProblem('There is more data after the end of the archive');
    }
  }
}

const NO_CONTENT = new Set(['1', '2', '3', '4', '5', '6']);

function hasContent({ type }: TarHeader): boolean {
  return !NO_CONTENT.has(type);
}

function parseHeader(block: Buffer): TarHeader {
  const checksum = number(block, 148, 8);
  const isTar = block.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 32 : byte), 0);
  if (checksum !== isTar) throw new ArchiveProblem('The file is not a tar archive, or is damaged');
  const hasPrefix = block.toString('latin1', 257, 263) === 'ustar\0';
  const prefix = hasPrefix ? text(block, 345, 155) : '';
  const name = text(block, 0, 100);
  const path = prefix === '' ? name : `${prefix}/${name}`;
  const flag = String.fromCharCode(block[156] ?? 0);
  const isPlain = flag === '\0' || flag === '0' || flag === '7';
  return {
    path,
    // Before there was a type for folders, their names ended with a slash.
    type: isPlain ? (path.endsWith('/') ? '5' : '0') : flag,
    size: number(block, 124, 12),
    mode: number(block, 100, 8),
    modifiedAt: number(block, 136, 12),
    linkTarget: text(block, 157, 100),
  };
}

function text(block: Buffer, start: number, length: number): string {
  const field = block.subarray(start, start + length);
  const end = field.indexOf(0);
  return utf8(end === -1 ? field : field.subarray(0, end));
}

function utf8(bytes: Buffer): string {
  if (!isUtf8(bytes)) {
    const shown = shownName(bytes.toString('latin1'));
    throw new ArchiveProblem(`A name is not encoded in UTF-8: ${shown}`);
  }
  return bytes.toString('utf8');
}

/** Octal digits, or for large numbers the bytes of the number itself after a marker. */
function number(block: Buffer, start: number, length: number): number {
  const field = block.subarray(start, start + length);
  const value =
    field[0] === 0x80
      ? field.subarray(1).reduce((sum, byte) => sum * 256 + byte, 0)
      : Number(`0o${field.toString('latin1').replaceAll(/[\0 ]+/g, '') || '0'}`);
  // Negative times of files from before 1970 have another marker.
  if (field[0] === 0xff) return 0;
  if (Number.isSafeInteger(value)) return value;
  throw new ArchiveProblem('The file is not a tar archive, or is damaged');
}

type Extended = { path?: string; linkTarget?: string; size?: number };

/** Extended headers of pax, for the next member or all; long names of GNU tar. */
const EXTENDED_TYPES = new Set(['x', 'g', 'L', 'K']);

function parseExtended(type: string, content: Buffer): Extended {
  const end = content.indexOf(0);
  const name = () => utf8(end === -1 ? content : content.subarray(0, end));
  if (type === 'L') return { path: name() };
  if (type === 'K') return { linkTarget: name() };
  const extended = parseRecords(content);
  if (type === 'x') return extended;
  if (Object.keys(extended).length === 0) return {};
  throw new ArchiveProblem('A header for all files sets a path or a size');
}

/** Records of the form `<length> <key>=<value>\n`. */
function parseRecords(content: Buffer): Extended {
  const extended: Extended = {};
  for (let at = 0; at < content.length && content[at] !== 0; ) {
    const space = content.indexOf(0x20, at);
    const length = Number(content.toString('latin1', at, space));
    const record = content.subarray(space + 1, at + length);
    const equals = record.indexOf(0x3d);
    const isWhole = length > 0 && at + length <= content.length && record.at(-1) === 0x0a;
    if (space === -1 || equals === -1 || !isWhole) {
      throw new ArchiveProblem('A header is damaged');
    }
    addRecord(record.toString('latin1', 0, equals), record.subarray(equals + 1, -1), extended);
    at += length;
  }
  return extended;
}

function addRecord(key: string, value: Buffer, extended: Extended): void {
  if (key === 'path') extended.path = utf8(value);
  if (key === 'linkpath') extended.linkTarget = utf8(value);
  if (key.startsWith('GNU.sparse.')) throw new ArchiveProblem('Sparse files are not supported');
  if (key !== 'size') return;
  extended.size = Number(value.toString('latin1'));
  if (Number.isSafeInteger(extended.size) && extended.size >= 0) return;
  throw new ArchiveProblem('A header is damaged');
}
