import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

const TYPES = { A: 1, CNAME: 5, TXT: 16, AAAA: 28 } as const;
const CODES = { NOERROR: 0, SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 } as const;
const MAX_UDP_BYTES = 512;
const TTL_SECONDS = 60;

export type RecordType = keyof typeof TYPES;
export type RecordKind = `${RecordType} ${string}`;

/** How a query fails. `silent`: no answer; `garbage`: an answer that cannot be parsed. */
export type DnsFailure = 'SERVFAIL' | 'REFUSED' | 'silent' | 'garbage';

/** A name server for tests, over UDP and TCP on one port. It answers in the case that it likes. */
export type DnsServer = {
  /** Address and port. */
  address: string;
  /** `kind`: type and name, such as `TXT _longshore.example.com`. A TXT value that is a list consists of several strings. */
  set(kind: RecordKind, ...values: (string | string[])[]): void;
  remove(kind: RecordKind): void;
  /** Undefined: the query is answered again. */
  fail(kind: RecordKind, failure: DnsFailure | undefined): void;
  /** Every query so far. */
  queries: string[];
  close(): Promise<void>;
};

export async function startDnsServer(): Promise<DnsServer> {
  const records = new Map<string, (string | string[])[]>();
  const failures = new Map<string, DnsFailure>();
  const queries: string[] = [];
  const tcpSockets = new Set<Socket>();
  const tcp = createServer((socket) => {
    tcpSockets.add(socket.on('close', () => tcpSockets.delete(socket)).on('error', () => {}));
    socket.on('data', (data: Buffer) => {
      const response = respond(data.subarray(2), Number.POSITIVE_INFINITY);
      if (response === undefined) return;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(response.length);
      socket.write(Buffer.concat([length, response]));
    });
  });
  tcp.listen(0, '127.0.0.1');
  await once(tcp, 'listening');
  const { port } = tcp.address() as AddressInfo;
  const udp = createSocket('udp4');
  udp.on('message', (query, sender) => {
    const response = respond(query, MAX_UDP_BYTES);
    if (response !== undefined) udp.send(response, sender.port, sender.address);
  });
  udp.bind(port, '127.0.0.1');
  await once(udp, 'listening');

  return {
    address: `127.0.0.1:${port}`,
    set: (kind, ...values) => void records.set(kind.toLowerCase(), values),
    remove: (kind) => void records.delete(kind.toLowerCase()),
    fail(kind, failure) {
      if (failure === undefined) failures.delete(kind.toLowerCase());
      else failures.set(kind.toLowerCase(), failure);
    },
    queries,
    async close() {
      for (const socket of tcpSockets) socket.destroy();
      await Promise.all([
        new Promise((resolve) => udp.close(() => resolve(undefined))),
        new Promise((resolve) => tcp.close(resolve)),
      ]);
    },
  };

  function respond(query: Buffer, maxBytes: number): Buffer | undefined {
    const { name, type, end } = readQuestion(query);
    const kind = `${type} ${name}`.toLowerCase();
    queries.push(kind);
    const failure = failures.get(kind);
    if (failure === 'silent') return undefined;
    if (failure === 'garbage') return Buffer.concat([query.subarray(0, 2), Buffer.from('garbage')]);
    const question = Buffer.from(query.subarray(12, end));
    if (failure !== undefined) return message(query, question, CODES[failure], []);
    const answers = (records.get(kind) ?? []).map((value) => encodeRecord(name, type, value));
    const isKnown = [...records.keys()].some((known) => known.endsWith(` ${name.toLowerCase()}`));
    const code = isKnown ? CODES.NOERROR : CODES.NXDOMAIN;
    const response = message(query, question, code, answers);
    return response.length > maxBytes ? truncated(message(query, question, code, [])) : response;
  }
}

function readQuestion(query: Buffer): { name: string; type: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const code = query.readUInt16BE(at + 1);
  const type = Object.entries(TYPES).find(([, known]) => known === code)?.[0] ?? String(code);
  return { name: labels.join('.'), type, end: at + 5 };
}

function message(query: Buffer, question: Buffer, code: number, answers: Buffer[]): Buffer {
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180 | code, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(answers.length, 6);
  return Buffer.concat([header, question, ...answers]);
}

function truncated(response: Buffer): Buffer {
  response.writeUInt16BE(response.readUInt16BE(2) | 0x0200, 2);
  return response;
}

function encodeRecord(name: string, type: string, value: string | string[]): Buffer {
  const content = encodeValue(type, value);
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(TYPES[type as RecordType], 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt32BE(TTL_SECONDS, 4);
  fixed.writeUInt16BE(content.length, 8);
  return Buffer.concat([encodeName(mixedCase(name)), fixed, content]);
}

function encodeValue(type: string, value: string | string[]): Buffer {
  const texts = [value].flat();
  switch (type) {
    case 'TXT':
      return Buffer.concat(texts.map(encodeText));
    case 'CNAME':
      return encodeName(mixedCase(texts.join('')));
    case 'A':
      return Buffer.from(texts.join('').split('.').map(Number));
    default:
      return encodeIpv6(texts.join(''));
  }
}

function encodeName(name: string): Buffer {
  const labels = name.split('.').filter((label) => label !== '');
  return Buffer.concat([...labels.map(encodeText), Buffer.from([0])]);
}

function encodeText(text: string): Buffer {
  return Buffer.concat([Buffer.from([text.length]), Buffer.from(text, 'latin1')]);
}

function encodeIpv6(address: string): Buffer {
  const [head = '', tail = ''] = address.split('::');
  const groups = (part: string) => part.split(':').filter((group) => group !== '');
  const [before, after] = [groups(head), groups(tail)];
  const zeros = Array<string>(8 - before.length - after.length).fill('0');
  const bytes = Buffer.alloc(16);
  for (const [index, group] of [...before, ...zeros, ...after].entries()) {
    bytes.writeUInt16BE(Number.parseInt(group, 16), index * 2);
  }
  return bytes;
}

function mixedCase(name: string): string {
  return [...name].map((char, at) => (at % 2 === 0 ? char.toUpperCase() : char)).join('');
}
