import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** Runs in a network namespace: listens and connects there for a test. */
export type AgentCommand =
  | { kind: 'listen'; host: string; port: number; answer: string }
  | { kind: 'connect'; host: string; port: number; from?: string | undefined; timeoutMs: number }
  | { kind: 'send'; host: string; port: number }
  | { kind: 'post'; host: string; port: number; from: string }
  | { kind: 'senders' }
  | { kind: 'flood'; host: string; ports: number }
  | { kind: 'echo'; host: string; port: number }
  | { kind: 'open'; host: string; port: number }
  | { kind: 'say'; text: string };

const TIMEOUT_MS = 10_000;

process.on('message', async ({ id, command }: { id: number; command: AgentCommand }) => {
  const result = await perform(command).catch((error: NodeJS.ErrnoException) => error.code);
  process.send?.({ id, result });
});
process.on('disconnect', () => process.exit());
process.send?.({ id: 0, result: 'ready' });

function perform(command: AgentCommand): Promise<string> {
  switch (command.kind) {
    case 'listen':
      return listen(command.host, command.port, command.answer);
    case 'connect':
      return ask(command.host, command.port, command.from, command.timeoutMs);
    case 'send':
      return send(command.host, command.port);
    case 'post':
      return post(command.host, command.port, command.from);
    case 'senders':
      return Promise.resolve([...senders].join(' '));
    case 'flood':
      return flood(command.host, command.ports);
    case 'echo':
      return echo(command.host, command.port);
    case 'open':
      return open(command.host, command.port);
    case 'say':
      return say(command.text);
  }
}

/** The addresses that datagrams came from. */
const senders = new Set<string>();

/** Answers each TCP connection and each datagram with the text and the address of the client. */
async function listen(host: string, port: number, answer: string): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.end(`${answer} ${socket.remoteAddress}`);
  });
  const family = host.includes(':') ? 'udp6' : 'udp4';
  const datagrams = createSocket(family);
  datagrams.on('message', (_, { address, port: to }) => {
    senders.add(address);
    datagrams.send(`${answer} ${address}`, to, address);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen({ host, port }, resolve);
  });
  await new Promise<void>((resolve) => datagrams.bind(port, host, resolve));
  return 'listening';
}

function ask(
  host: string,
  port: number,
  from: string | undefined,
  timeoutMs: number,
): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const local = from === undefined ? {} : { localAddress: from };
    const socket = connect({ host, port, timeout: timeoutMs, ...local });
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('error', reject);
    socket.on('timeout', () => {
      socket.destroy();
      resolve('timeout');
    });
    socket.on('end', () => {
      socket.destroy();
      resolve(answer);
    });
  });
}

function send(host: string, port: number): Promise<string> {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
  return new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => resolve('timeout'), TIMEOUT_MS);
    socket.on('error', reject);
    socket.on('message', (text) => resolve(String(text)));
    socket.connect(port, host, () => socket.send('?'));
    socket.once('close', () => clearTimeout(timer));
  }).finally(() => socket.close());
}

/** Sends a datagram without waiting for an answer. */
async function post(host: string, port: number, from: string): Promise<string> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind({ address: from }, resolve));
  await new Promise((resolve) => socket.send('?', port, host, resolve));
  socket.close();
  return 'sent';
}

/** Sends a datagram to each of many ports. */
async function flood(host: string, ports: number): Promise<string> {
  const socket = createSocket('udp4');
  for (let port = 10_000; port < 10_000 + ports; port += 1) {
    await new Promise((resolve) => socket.send('?', port, host, resolve));
  }
  socket.close();
  return 'sent';
}

/** Answers each TCP connection with what it receives, and keeps it open. */
async function echo(host: string, port: number): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.pipe(socket);
  });
  await once(server.listen({ host, port }), 'listening');
  return 'listening';
}

let opened: Socket | undefined;

/** Opens a TCP connection for `say`. */
async function open(host: string, port: number): Promise<string> {
  opened = connect({ host, port });
  await once(opened, 'connect');
  return 'open';
}

/** The answer to a text on the open connection. */
async function say(text: string): Promise<string> {
  if (opened === undefined) return 'not open';
  opened.write(text);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const [answer] = await once(opened, 'data', { signal });
  return String(answer);
}
