import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { sendInProcess } from './send-in-process.ts';

const LAYER = Buffer.alloc(200_000, 'layer');
const CONFIG = Buffer.from('{}');
const { signal } = new AbortController();
const lowerPriority = async () => {};

/** Docker with one builder, in which `cat` prints the layer. */
async function startFakeDocker({
  loadError,
  stalls = false,
}: {
  loadError?: string;
  stalls?: boolean;
} = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'longshore-fake-docker-'));
  const socketPath = join(folder, 'docker.sock');
  const loaded: Buffer[] = [];
  const server = createServer(async (request, response) => {
    const isLoad = request.url?.includes('/images/load');
    try {
      for await (const chunk of request) if (isLoad) loaded.push(chunk as Buffer);
    } catch {
      return;
    }
    if (request.url === '/version') response.end('{"ApiVersion":"1.47"}');
    else if (isLoad && loadError !== undefined) response.writeHead(500).end(loadError);
    else if (isLoad) response.end('{"stream":"Loaded"}');
    else if (request.method === 'POST') response.end('{"Id":"program"}');
    else response.end('{"ExitCode":0}');
  });
  server.on('upgrade', (_, socket: Socket) => {
    socket.on('error', () => {});
    socket.write('HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n');
    if (stalls) return;
    const header = Buffer.alloc(8);
    header.writeUInt8(1, 0);
    header.writeUInt32BE(LAYER.length, 4);
    socket.end(Buffer.concat([header, LAYER]));
  });
  server.listen(socketPath);
  await once(server, 'listening');
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
    await rm(folder, { recursive: true });
  });
  return { server, socketPath, loaded: () => Buffer.concat(loaded) };
}

function jobFor(socketPath: string, { diffId = digestOf(LAYER) } = {}) {
  const layer = {
    digest: digestOf(LAYER),
    size: LAYER.length,
    compression: 'none' as const,
    diffId,
  };
  return {
    socketPath,
    builder: { containerId: 'builder', folder: '/cache' },
    image: {
      architecture: 'amd64',
      config: { digest: digestOf(CONFIG), bytes: CONFIG },
      layers: [layer],
    },
    options: { name: 'app:1', presentLayers: 0, max: { bytes: 1e9, files: 1e6 } },
  };
}

function digestOf(bytes: Buffer): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

it('copies an image from the builder to Docker', async () => {
  const { socketPath, loaded } = await startFakeDocker();
  const sent = await sendInProcess(jobFor(socketPath), lowerPriority, signal);
  expect(sent).toEqual([{ diffId: digestOf(LAYER), bytes: LAYER.length }]);
  expect(loaded().includes(LAYER)).toBe(true);
  expect(loaded().includes('"RepoTags":["app:1"]')).toBe(true);
});

it('rejects as if there were no other process', async () => {
  const { socketPath } = await startFakeDocker({ loadError: '{"message":"no space left"}' });
  const wrong = jobFor(socketPath, { diffId: digestOf(CONFIG) });
  await expect(sendInProcess(wrong, lowerPriority, signal)).rejects.toMatchObject({
    name: 'InvalidImage',
  });
  await expect(sendInProcess(jobFor(socketPath), lowerPriority, signal)).rejects.toMatchObject({
    name: 'DockerError',
    status: 500,
    message: 'no space left',
  });
  await expect(sendInProcess(jobFor('/nowhere.sock'), lowerPriority, signal)).rejects.toMatchObject(
    {
      reason: 'engine-down',
    },
  );
});

it('closes its connections when it is aborted', async () => {
  const { server, socketPath } = await startFakeDocker({ stalls: true });
  const stop = new AbortController();
  const sending = sendInProcess(jobFor(socketPath), lowerPriority, stop.signal);
  sending.catch(() => {});
  const [, socket] = (await once(server, 'upgrade')) as [unknown, Socket];
  // A socket that nobody reads does not notice it.
  socket.resume();
  const closed = new Promise((resolve) => socket.once('end', resolve).once('close', resolve));
  stop.abort(new Error('cancelled'));
  await expect(sending).rejects.toThrow('cancelled');
  await closed;
});

it('lowers the priority of the process before it sends anything', async () => {
  const { socketPath, loaded } = await startFakeDocker();
  const running: boolean[] = [];
  await sendInProcess(
    jobFor(socketPath),
    async (pid) => {
      // Throws if there is no such process.
      running.push(process.kill(pid, 0) && loaded().length === 0);
    },
    signal,
  );
  expect(running).toEqual([true]);
});

it('rejects when the process ends', async () => {
  const { socketPath } = await startFakeDocker({ stalls: true });
  const kill = async (pid: number) => {
    process.kill(pid, 'SIGKILL');
  };
  await expect(sendInProcess(jobFor(socketPath), kill, signal)).rejects.toThrow('SIGKILL');
});
