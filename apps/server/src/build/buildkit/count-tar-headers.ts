const BLOCK_BYTES = 512;
const CHECKSUM = { from: 148, to: 156 };
const SPACE = 0x20;

/**
 * Counts the headers of a tar archive, which are the files that it unpacks to. Every block with a valid checksum counts, so that
 * no trick with sizes hides files; archives within an archive may count too.
 */
export function createTarHeaderCounter() {
  const pending = Buffer.alloc(BLOCK_BYTES);
  let pendingBytes = 0;
  let count = 0;
  return {
    push(chunk: Buffer): void {
      let at = 0;
      if (pendingBytes > 0) {
        at = chunk.copy(pending, pendingBytes);
        pendingBytes += at;
        if (pendingBytes < BLOCK_BYTES) return;
        if (isTarHeader(pending, 0)) count += 1;
      }
      for (; at + BLOCK_BYTES <= chunk.length; at += BLOCK_BYTES) {
        if (isTarHeader(chunk, at)) count += 1;
      }
      pendingBytes = chunk.copy(pending, 0, at);
    },
    count: () => count,
  };
}

function isTarHeader(bytes: Buffer, at: number): boolean {
  const announced = checksumAt(bytes, at);
  if (announced === undefined) return false;
  let sum = 0;
  let signedSum = 0;
  for (let index = 0; index < BLOCK_BYTES; index += 1) {
    const isChecksum = index >= CHECKSUM.from && index < CHECKSUM.to;
    const byte = isChecksum ? SPACE : (bytes[at + index] ?? 0);
    sum += byte;
    // Old programs add the bytes as signed numbers.
    signedSum += byte < 0x80 ? byte : byte - 0x100;
  }
  return announced === sum || announced === signedSum;
}

/** Octal digits between spaces and zero bytes. */
function checksumAt(bytes: Buffer, at: number): number | undefined {
  let value: number | undefined;
  for (let index = at + CHECKSUM.from; index < at + CHECKSUM.to; index += 1) {
    const byte = bytes[index] ?? 0;
    if (byte >= 0x30 && byte <= 0x37) value = (value ?? 0) * 8 + byte - 0x30;
    else if (byte !== SPACE && byte !== 0) return undefined;
  }
  return value;
}
