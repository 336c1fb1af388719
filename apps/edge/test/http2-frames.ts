import type { TLSSocket } from 'node:tls';
import { connectSecurely, SECURE_HOST } from './entrance-fixture.ts';

const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
const HEAD_LENGTH = 9;

export const FRAME = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;
export const END_STREAM = 0x1;
export const END_HEADERS = 0x4;

type Header = readonly [name: string, value: string];
export type Frame = { type: number; flags: number; stream: number; payload: Buffer };

/** A client that sends any frames, also those that no correct client sends. */
export type FrameClient = {
  socket: TLSSocket;
  received: Frame[];
  send(...frames: Buffer[]): void;
  isClosed(): boolean;
};

export async function openFrameClient(port: number): Promise<FrameClient> {
  const socket = await connectSecurely(port, { ALPNProtocols: ['h2'] });
  const received: Frame[] = [];
  let rest = Buffer.alloc(0);
  let isClosed = false;
  socket.on('data', (bytes: Buffer) => {
    rest = Buffer.concat([rest, bytes]);
    while (rest.length >= HEAD_LENGTH && rest.length >= HEAD_LENGTH + rest.readUIntBE(0, 3)) {
      const end = HEAD_LENGTH + rest.readUIntBE(0, 3);
      const [type = 0, flags = 0] = rest.subarray(3, 5);
      const payload = rest.subarray(HEAD_LENGTH, end);
      received.push({ type, flags, stream: rest.readUInt32BE(5), payload });
      rest = rest.subarray(end);
    }
  });
  socket.on('close', () => {
    isClosed = true;
  });
  socket.write(PREFACE);
  const client: FrameClient = {
    socket,
    received,
    send: (...frames) => void socket.write(Buffer.concat(frames)),
    isClosed: () => isClosed,
  };
  client.send(frame(FRAME.settings));
  return client;
}

type FrameContent = Partial<Omit<Frame, 'type'>>;

export function frame(type: number, content: FrameContent = {}): Buffer {
  const { flags = 0, stream = 0, payload = Buffer.alloc(0) } = content;
  const head = Buffer.alloc(HEAD_LENGTH);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** The headers of a GET request, and others. */
export function requestHeaders(
  stream: number,
  headers: readonly Header[] = [],
  flags = END_STREAM,
) {
  const payload = headerBlock([...pseudoHeaders(), ...headers]);
  return frame(FRAME.headers, { stream, flags: END_HEADERS | flags, payload });
}

export function pseudoHeaders(path = '/'): Header[] {
  return [
    [':method', 'GET'],
    [':scheme', 'https'],
    [':path', path],
    [':authority', SECURE_HOST],
  ];
}

/** HPACK: each header as a literal that is not added to the table, without Huffman coding. */
export function headerBlock(headers: readonly Header[]): Buffer {
  return Buffer.concat(
    headers.map(([name, value]) => Buffer.concat([Buffer.alloc(1), text(name), text(value)])),
  );
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value, 'latin1');
  return Buffer.concat([length(bytes.length), bytes]);
}

function length(value: number): Buffer {
  if (value < 0x7f) return Buffer.from([value]);
  const bytes = [0x7f];
  let rest = value - 0x7f;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push(0x80 + (rest % 0x80));
  return Buffer.from([...bytes, rest]);
}

/** The frames of a stream that end it: its error code, or `ok` for a complete response. */
export function outcomeOf({ received }: FrameClient, stream: number): string | undefined {
  for (const { type, flags, payload, stream: id } of received) {
    if (id !== stream) continue;
    if (type === FRAME.reset) return `reset ${payload.readUInt32BE(0)}`;
    if (type === FRAME.headers && payload[0] !== STATUS_200) return `status ${statusOf(payload)}`;
    if ((flags & END_STREAM) !== 0 && type <= FRAME.headers) return 'ok';
  }
  return undefined;
}

/** Indexes of HPACK's static table. */
const STATUS_200 = 0x88;
const STATUSES: Record<number, number> = { 137: 204, 139: 304, 140: 400, 141: 404, 142: 500 };

function statusOf(payload: Buffer): number | string {
  return STATUSES[payload[0] ?? 0] ?? payload.toString('hex');
}

/** What the server said when it ended the connection. Later streams were not served. */
export function goawayOf({ received }: FrameClient) {
  const payload = received.find(({ type }) => type === FRAME.goaway)?.payload;
  return payload && { lastStream: payload.readUInt32BE(0), code: payload.readUInt32BE(4) };
}
