import { createHash } from 'node:crypto';
import { constants, deflateRawSync, deflateSync } from 'node:zlib';

/** An object of a pack. `size` is the size that its header promises, `compressed` its zlib stream. */
export type PackedObject = { type: ObjectType; size: number; base?: string; compressed: Buffer };
type ObjectType = 'commit' | 'tree' | 'blob' | 'tag' | 'ref-delta';
export type TreeEntry = { mode: string; name: string; id: string };

const TYPE_BITS: Record<ObjectType, number> = {
  commit: 1,
  tree: 2,
  blob: 3,
  tag: 4,
  'ref-delta': 7,
};
const ZEROS_PER_BLOCK = 16 * 1024 ** 2;

/** Written by hand, because git refuses to create hostile packs. `count` is the number of objects that the header promises. */
export function packOf(objects: PackedObject[], count = objects.length): Buffer {
  const header = Buffer.alloc(12);
  header.write('PACK');
  header.writeUInt32BE(2, 4);
  header.writeUInt32BE(count, 8);
  const content = [header, ...objects.flatMap(encode)];
  const hash = createHash('sha1');
  for (const part of content) hash.update(part);
  return Buffer.concat([...content, hash.digest()]);
}

export function objectOf(type: ObjectType, content: Buffer | string): PackedObject {
  const bytes = Buffer.from(content);
  return { type, size: bytes.length, compressed: deflateSync(bytes) };
}

export function idOf(type: ObjectType, content: Buffer | string): string {
  const bytes = Buffer.from(content);
  return createHash('sha1').update(`${type} ${bytes.length}\0`).update(bytes).digest('hex');
}

export function treeOf(entries: TreeEntry[]): Buffer {
  return Buffer.concat(
    entries.flatMap(({ mode, name, id }) => [
      Buffer.from(`${mode} ${name}\0`),
      Buffer.from(id, 'hex'),
    ]),
  );
}

export function commitOf(tree: string): string {
  const person = 'Test <test@example.com> 0 +0000';
  return `tree ${tree}\nauthor ${person}\ncommitter ${person}\n\nHostile\n`;
}

/** Zeros that take one thousandth of their size in the pack. */
export function zerosOf(type: ObjectType, size: number): PackedObject {
  const blocks = Math.floor(size / ZEROS_PER_BLOCK);
  const block = rawDeflated(ZEROS_PER_BLOCK, constants.Z_FULL_FLUSH);
  const compressed = Buffer.concat([
    Buffer.from([0x78, 0x9c]),
    ...Array.from({ length: blocks }, () => block),
    rawDeflated(size % ZEROS_PER_BLOCK, constants.Z_FINISH),
    adlerOfZeros(size),
  ]);
  return { type, size, compressed };
}

/** A few bytes that become `copies` times 16 MiB of the base. */
export function deltaOf(base: { id: string; size: number }, copies: number): PackedObject {
  const length = 0xffffff;
  const copy = Buffer.from([0b1111_0000, 0xff, 0xff, 0xff]);
  const delta = Buffer.concat([
    variableLength(base.size),
    variableLength(length * copies),
    ...Array.from({ length: copies }, () => copy),
  ]);
  return { type: 'ref-delta', size: delta.length, base: base.id, compressed: deflateSync(delta) };
}

function encode({ type, size, base, compressed }: PackedObject): Buffer[] {
  const first = (TYPE_BITS[type] << 4) | (size & 0x0f);
  const rest = Math.floor(size / 16);
  const head =
    rest === 0
      ? Buffer.from([first])
      : Buffer.concat([Buffer.from([first | 0x80]), variableLength(rest)]);
  return [head, ...(base === undefined ? [] : [Buffer.from(base, 'hex')]), compressed];
}

/** Seven bits for each byte, the lowest first. Sizes may need more than 32 bits. */
function variableLength(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  return Buffer.from([...bytes, rest]);
}

function rawDeflated(zeros: number, finishFlush: number): Buffer {
  return deflateRawSync(Buffer.alloc(zeros), { finishFlush });
}

function adlerOfZeros(size: number): Buffer {
  const checksum = Buffer.alloc(4);
  checksum.writeUInt16BE(size % 65_521, 0);
  checksum.writeUInt16BE(1, 2);
  return checksum;
}
