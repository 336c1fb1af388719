import type { SafeEntry } from './entry-rules.ts';

const BLOCK = 512;
const NAME_BYTES = 100;
const TYPES = { file: '0', link: '2', folder: '5' } as const;
/** What eleven octal digits can hold. */
const MAX_TIME = 8 ** 11 - 1;

/** Two blocks of zeros end an archive. */
export const TAR_END = Buffer.alloc(2 * BLOCK);

/** The header of an entry. Names that are too long for it are in an extended header of pax before it. */
export function tarHeader(entry: SafeEntry): Buffer {
  const { path, target } = entry;
  const records = [
    ...(Buffer.byteLength(path) > NAME_BYTES ? [record('path', path)] : []),
    ...(Buffer.byteLength(target) > NAME_BYTES ? [record('linkpath', target)] : []),
  ];
  const header = headerBlock(TYPES[entry.kind], entry);
  if (records.length === 0) return header;
  const content = Buffer.concat(records);
  const extended = { ...entry, path: 'extended-header', target: '', size: content.length };
  return Buffer.concat([headerBlock('x', extended), content, tarPadding(content.length), header]);
}

/** Fills the last block of so many bytes. */
export function tarPadding(bytes: number): Buffer {
  return Buffer.alloc(-bytes & (BLOCK - 1));
}

function headerBlock(type: string, entry: SafeEntry): Buffer {
  const { kind, path, target, size, isExecutable, modifiedAt } = entry;
  const block = Buffer.alloc(BLOCK);
  const octal = (value: number, start: number, length: number) =>
    block.write(value.toString(8).padStart(length - 1, '0'), start, 'latin1');
  Buffer.from(path).copy(block, 0, 0, NAME_BYTES);
  octal(kind === 'file' && !isExecutable ? 0o644 : 0o755, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(Math.min(Math.max(0, modifiedAt), MAX_TIME), 136, 12);
  block.write(' '.repeat(8), 148, 'latin1');
  block.write(type, 156, 'latin1');
  Buffer.from(target).copy(block, 157, 0, NAME_BYTES);
  block.write('ustar\x0000', 257, 'latin1');
  const checksum = block.reduce((sum, byte) => sum + byte, 0);
  block.write(`${checksum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return block;
}

/** `<length> <key>=<value>\n`, where the length counts its own digits. */
function record(key: string, value: string): Buffer {
  const rest = ` ${key}=${value}\n`;
  const bytes = Buffer.byteLength(rest);
  let length = bytes + 1;
  while (length !== bytes + String(length).length) length = bytes + String(length).length;
  return Buffer.from(`${length}${rest}`);
}
