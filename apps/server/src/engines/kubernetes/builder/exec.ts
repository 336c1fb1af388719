import { once } from 'node:events';
import type { RawData, WebSocket } from 'ws';
import { z } from 'zod';
import type {
  BuilderCommand,
  BuilderProcess,
  OutputChunk,
} from '../../../build/buildkit/builder.ts';
import type { KubernetesDeps } from '../deps.ts';
import { clusterDown } from '../kubernetes-error.ts';

/** A container of a pod. */
export type ExecTarget = { namespace: string; pod: string; container: string };

/** The first byte of each message. */
const CHANNELS = { input: 0, output: 1, error: 2, status: 3, close: 255 };
/** The first version in which the input can end before the output. */
const PROTOCOL = 'v5.channel.k8s.io';
const PING_MS = 30_000;
const MAX_WAITING_CHUNKS = 16;
/** How much of the input may wait in this process. */
const MAX_BUFFERED_BYTES = 1024 ** 2;
const MAX_MESSAGE_BYTES = 32 * 1024;

/**
 * Reads arguments and variables from its input, then becomes that program, which reads the rest. They may be secrets: the API
 * server logs the arguments that it gets. The marker keeps newlines at the end of a value.
 */
export const RUN_FROM_INPUT = `while read -r kind name text && [ "$kind" != run ]; do
  value=$(printf %s "$text" | base64 -d; echo .)
  case "$kind" in
    argument) set -- "$@" "\${value%.}" ;;
    variable) export "$name=\${value%.}" ;;
  esac
done
exec "$@"`;

/** What the script reads. */
export function commandHeader({ argv, env = {} }: BuilderCommand): string {
  const encode = (text: string) => Buffer.from(text).toString('base64');
  const lines = [
    ...argv.map((argument) => `argument - ${encode(argument)}`),
    ...Object.entries(env).map(([name, value]) => `variable ${name} ${encode(value)}`),
    'run',
  ];
  return lines.map((line) => `${line}\n`).join('');
}

/** Starts a program in a container. Aborting closes its streams but does not end it. */
export async function execInPod(
  { namespace, pod, container }: ExecTarget,
  command: BuilderCommand,
  { api }: Pick<KubernetesDeps, 'api'>,
  signal: AbortSignal,
): Promise<BuilderProcess> {
  const program = ['sh', '-c', RUN_FROM_INPUT, 'sh'];
  const streams = ['stdin', 'stdout', 'stderr'];
  const socket = await api.connect(`/api/v1/namespaces/${namespace}/pods/${pod}/exec`, {
    parameters: [
      ['container', container],
      ...streams.map((stream): [string, string] => [stream, 'true']),
      ...program.map((argument): [string, string] => ['command', argument]),
    ],
    protocol: PROTOCOL,
    signal,
  });
  const abort = () => socket.terminate();
  signal.addEventListener('abort', abort, { once: true });
  const ping = setInterval(() => socket.ping(), PING_MS);
  ping.unref();
  let code = -1;
  const messages = readMessages(socket);
  // A program that does not read its input to the end closes the connection; its exit code says more.
  feed(socket, command).catch(() => socket.terminate());

  async function* output(): AsyncGenerator<OutputChunk> {
    try {
      for await (const [channel, bytes] of messages) {
        if (channel === CHANNELS.status) code = exitCodeOf(bytes.toString('utf8'));
        if (channel === CHANNELS.output) yield { stream: 'output', bytes };
        if (channel === CHANNELS.error) yield { stream: 'error', bytes };
      }
    } catch (error) {
      signal.throwIfAborted();
      throw clusterDown(error);
    } finally {
      clearInterval(ping);
      signal.removeEventListener('abort', abort);
      socket.terminate();
    }
    signal.throwIfAborted();
  }

  return { output: output(), exitCode: async () => code };
}

const Status = z.object({
  status: z.string(),
  details: z
    .object({ causes: z.array(z.object({ reason: z.string(), message: z.string() })).optional() })
    .optional(),
});

/** -1: it was ended, or could not be started. */
export function exitCodeOf(text: string): number {
  const { status, details } = Status.parse(JSON.parse(text));
  if (status === 'Success') return 0;
  const code = details?.causes?.find(({ reason }) => reason === 'ExitCode')?.message;
  return code === undefined ? -1 : Number(code);
}

async function feed(socket: WebSocket, command: BuilderCommand): Promise<void> {
  await sendInput(socket, Buffer.from(commandHeader(command)));
  for await (const chunk of command.input ?? []) await sendInput(socket, chunk);
  socket.send(Buffer.from([CHANNELS.close, CHANNELS.input]));
}

async function sendInput(socket: WebSocket, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; at += MAX_MESSAGE_BYTES) {
    const part = bytes.subarray(at, at + MAX_MESSAGE_BYTES);
    const message = Buffer.concat([Buffer.from([CHANNELS.input]), part]);
    const sent = new Promise<void>((resolve, reject) => {
      socket.send(message, (error) => (error ? reject(error) : resolve()));
    });
    sent.catch(() => {});
    if (socket.bufferedAmount > MAX_BUFFERED_BYTES) await sent;
    if (socket.readyState !== socket.OPEN) throw new Error('The connection was closed');
  }
}

/** From now on. A slow reader stops the sender. */
function readMessages(socket: WebSocket): AsyncGenerator<[channel: number, bytes: Buffer]> {
  const waiting: Buffer[] = [];
  const wake = new EventTarget();
  let ended = false;
  let failure: unknown;
  const changed = () => wake.dispatchEvent(new Event('change'));
  socket.on('message', (message: RawData) => {
    waiting.push(message as Buffer);
    if (waiting.length > MAX_WAITING_CHUNKS) socket.pause();
    changed();
  });
  socket.on('error', (error) => {
    failure = error;
    changed();
  });
  socket.on('close', () => {
    ended = true;
    changed();
  });
  socket.resume();
  return (async function* () {
    while (true) {
      const message = waiting.shift();
      if (message !== undefined) {
        if (waiting.length === 0 && socket.isPaused) socket.resume();
        const [channel = 0] = message;
        yield [channel, message.subarray(1)];
      } else if (failure !== undefined) {
        throw failure;
      } else if (ended) {
        return;
      } else {
        await once(wake, 'change');
      }
    }
  })();
}
