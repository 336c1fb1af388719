import type { Socket } from 'node:net';

const SIGNATURE = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');
const HEAD_LENGTH = 16;
const LOCAL = 0x20;
const PROXY = 0x21;

/** Addresses take at most 36 bytes. The rest is for extensions, among them certificates of visitors. */
const MAX_LENGTH = 4_096;

const IPV4_MAPPED = Buffer.from('00000000000000000000ffff', 'hex');
const NO_ADDRESS = { addressBytes: 0, length: 0 };
/** By address family and protocol: unknown, TCP over IPv4, TCP over IPv6. Others are refused. */
const FAMILIES: Record<number, typeof NO_ADDRESS | undefined> = {
  0: NO_ADDRESS,
  17: { addressBytes: 4, length: 12 },
  33: { addressBytes: 16, length: 36 },
};

/**
 * `length` is that of the header in bytes. `source` is the visitor; undefined means the peer itself, such as a health
 * check of the load balancer.
 */
export type ProxyHeader =
  | { kind: 'header'; length: number; source: string | undefined }
  | { kind: 'incomplete' }
  | { kind: 'invalid' };

const INCOMPLETE: ProxyHeader = { kind: 'incomplete' };
const INVALID: ProxyHeader = { kind: 'invalid' };

/** Parses the binary header of PROXY protocol version 2 at the start of a connection. */
export function parseProxyHeader(bytes: Buffer): ProxyHeader {
  const signature = bytes.subarray(0, SIGNATURE.length);
  if (!signature.equals(SIGNATURE.subarray(0, signature.length))) return INVALID;
  const [command = LOCAL, familyCode = 0] = bytes.subarray(SIGNATURE.length);
  if (command !== LOCAL && command !== PROXY) return INVALID;
  // The command LOCAL names nobody, whatever follows.
  const family = command === PROXY ? FAMILIES[familyCode] : NO_ADDRESS;
  if (family === undefined) return INVALID;
  if (bytes.length < HEAD_LENGTH) return INCOMPLETE;
  const length = bytes.readUInt16BE(14);
  if (length > MAX_LENGTH || length < family.length) return INVALID;
  if (bytes.length < HEAD_LENGTH + length) return INCOMPLETE;
  const source = bytes.subarray(HEAD_LENGTH, HEAD_LENGTH + family.addressBytes);
  return { kind: 'header', length: HEAD_LENGTH + length, source: addressText(source) };
}

function addressText(bytes: Buffer): string | undefined {
  if (bytes.length === 0) return undefined;
  if (bytes.length === 4) return bytes.join('.');
  if (bytes.subarray(0, 12).equals(IPV4_MAPPED)) return bytes.subarray(12).join('.');
  const groups = Array.from({ length: 8 }, (_, index) =>
    bytes.readUInt16BE(index * 2).toString(16),
  );
  // The URL parser writes an address in its canonical form.
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}

/**
 * Reads the header from a new connection and leaves what follows it unread. Calls `onHeader` at most once; a connection
 * without a valid header within the time is closed.
 */
export function readProxyHeader(
  socket: Socket,
  timeoutMs: number,
  onHeader: (source: string | undefined) => void,
): void {
  const deadline = setTimeout(() => socket.destroy(), timeoutMs);
  let received = Buffer.alloc(0);
  socket.on('error', ignore);
  socket.on('readable', read);
  socket.on('end', refuse);
  socket.on('close', finish);

  function read(): void {
    const chunk: Buffer | null = socket.read();
    if (chunk === null) return;
    received = Buffer.concat([received, chunk]);
    const header = parseProxyHeader(received);
    if (header.kind === 'invalid') refuse();
    if (header.kind !== 'header') return;
    finish();
    if (received.length > header.length) socket.unshift(received.subarray(header.length));
    onHeader(header.source);
  }

  function refuse(): void {
    socket.destroy();
  }

  function finish(): void {
    clearTimeout(deadline);
    socket.off('error', ignore);
    socket.off('readable', read);
    socket.off('end', refuse);
    socket.off('close', finish);
  }
}

/** An error is always followed by a close. */
function ignore(): void {}
