const BLOCK_BYTES = 512;

/** The end of an archive. */
export const TAR_END = Buffer.alloc(2 * BLOCK_BYTES);

export function* tarEntry(name: string, bytes: Uint8Array): Generator<Uint8Array> {
  yield tarHeader(name, bytes.length);
  yield bytes;
  yield tarPadding(bytes.length);
}

/** A file of root that everybody may read. */
export function tarHeader(name: string, size: number): Buffer {
  return headerOf({ name, size, mode: 0o444, owner: 0, type: '0' });
}

/** A folder that everybody may read. */
export function tarFolder(name: string, owner: number): Buffer {
  return headerOf({ name: `${name}/`, size: 0, mode: 0o755, owner, type: '5' });
}

type Header = { name: string; size: number; mode: number; owner: number; type: '0' | '5' };

/** A header of the ustar format. Names have at most 100 characters, sizes are below 8 GiB. */
function headerOf({ name, size, mode, owner, type }: Header): Buffer {
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`;
  const header = Buffer.alloc(BLOCK_BYTES);
  header.write(name, 0, 'latin1');
  header.write(octal(mode, 7), 100, 'latin1');
  header.write(octal(owner, 7), 108, 'latin1');
  header.write(octal(owner, 7), 116, 'latin1');
  header.write(octal(size, 11), 124, 'latin1');
  header.write(octal(0, 11), 136, 'latin1');
  header.write(`        ${type}`, 148, 'latin1');
  header.write('ustar\x0000', 257, 'latin1');
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return header;
}

/** Fills the last block of a file. */
export function tarPadding(size: number): Buffer {
  return Buffer.alloc((BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES);
}
