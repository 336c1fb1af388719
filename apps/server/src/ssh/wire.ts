/** Data types of the SSH protocol (RFC 4251 §5). */

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** A `string`: its length as uint32, followed by its bytes. */
export function lengthPrefixed(content: Buffer | string): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([uint32(bytes.length), bytes]);
}

/** The first `string` and the remaining bytes; undefined if it is incomplete. */
export function takePrefixed(bytes: Buffer): { content: Buffer; rest: Buffer } | undefined {
  if (bytes.length < 4) return undefined;
  const end = 4 + bytes.readUInt32BE();
  if (bytes.length < end) return undefined;
  return { content: bytes.subarray(4, end), rest: bytes.subarray(end) };
}
