import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { createKubernetesApi } from '../kubernetes-api.ts';
import { commandHeader, execInPod, exitCodeOf, RUN_FROM_INPUT } from './exec.ts';

const TARGET = { namespace: 'longshore-build-1', pod: 'builder-0', container: 'builder' };
const { signal } = new AbortController();
const servers: WebSocketServer[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

it('becomes the program with these arguments, variables and the rest of the input', async () => {
  const values = ['', ' two  words ', "it's $HOME `id`", 'line\n\n', '*'];
  const script = 'printf "<%s>" "$@"; printf "[%s]" "$SECRET"; cat';
  const header = commandHeader({
    argv: ['sh', '-c', script, 'sh', ...values],
    env: { SECRET: 'kept\n' },
  });
  const child = spawn('sh', ['-c', RUN_FROM_INPUT, 'sh'], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(`${header}the context`);
  const expected = `${values.map((value) => `<${value}>`).join('')}[kept\n]the context`;
  expect(await text(child.stdout)).toBe(expected);
});

it.each([
  ['{"status":"Success"}', 0],
  ['{"status":"Failure","details":{"causes":[{"reason":"ExitCode","message":"7"}]}}', 7],
  ['{"status":"Failure","reason":"InternalError","details":{}}', -1],
])('reads the exit code of %s', (status, code) => {
  expect(exitCodeOf(status)).toBe(code);
});

/** An API server that starts programs. `respond` gets the input of each, up to its end. */
async function startApi(respond: (input: string) => [channel: number, text: string][] | 'nothing') {
  const requests: URL[] = [];
  const server = new WebSocketServer({
    port: 0,
    host: '127.0.0.1',
    handleProtocols: (offered) => [...offered][0] ?? false,
  });
  servers.push(server);
  await once(server, 'listening');
  server.on('connection', (socket, request) => {
    requests.push(new URL(request.url ?? '', 'http://localhost'));
    let input = '';
    socket.on('message', (message: Buffer) => {
      if (message[0] === 0) input += message.subarray(1).toString('utf8');
      if (message[0] !== 255) return;
      const messages = respond(input);
      if (messages === 'nothing') return;
      for (const [channel, part] of messages) {
        socket.send(Buffer.concat([Buffer.from([channel]), Buffer.from(part)]));
      }
      socket.close();
    });
  });
  const { port } = server.address() as AddressInfo;
  const api = createKubernetesApi({
    server: `http://127.0.0.1:${port}`,
    authorize: async (options) => {
      options.headers = { authorization: 'Bearer one' };
    },
  });
  return { api, requests };
}

it('sends arguments and secrets in the input only, and reads output, errors and exit code', async () => {
  const sent: string[] = [];
  const { api, requests } = await startApi((input) => {
    sent.push(input);
    return [
      [1, 'out'],
      [2, 'err'],
      [3, '{"status":"Failure","details":{"causes":[{"reason":"ExitCode","message":"3"}]}}'],
    ];
  });
  const command = { argv: ['buildctl', '--opt=x'] as const, env: { TOKEN: 'hunter2' } };
  const running = await execInPod(TARGET, command, { api }, signal);
  const chunks: string[] = [];
  for await (const { stream, bytes } of running.output) chunks.push(`${stream} ${bytes}`);
  expect(chunks).toEqual(['output out', 'error err']);
  expect(await running.exitCode()).toBe(3);
  expect(sent).toEqual([commandHeader(command)]);
  expect(requests[0]?.pathname).toBe('/api/v1/namespaces/longshore-build-1/pods/builder-0/exec');
  expect(requests[0]?.href).not.toContain('buildctl');
});

it('sends a large input completely', async () => {
  const context = 'x'.repeat(3_000_000);
  const { api } = await startApi((input) => [[1, String(input.length)]]);
  const command = {
    argv: ['tar', '-x'] as const,
    input: (async function* () {
      yield Buffer.from(context);
    })(),
  };
  const running = await execInPod(TARGET, command, { api }, signal);
  const chunks: string[] = [];
  for await (const { bytes } of running.output) chunks.push(bytes.toString('utf8'));
  expect(chunks).toEqual([String(commandHeader(command).length + context.length)]);
});

it('rejects on abort while the program still runs', async () => {
  const { api } = await startApi(() => 'nothing');
  const stop = new AbortController();
  const running = await execInPod(TARGET, { argv: ['sleep', '1'] }, { api }, stop.signal);
  const reading = (async () => {
    for await (const _ of running.output);
  })();
  stop.abort(new Error('stopped'));
  await expect(reading).rejects.toThrow('stopped');
});

it('fails with cluster-down if the API server does not respond', async () => {
  const api = createKubernetesApi({ server: 'http://127.0.0.1:9', authorize: async () => {} });
  await expect(execInPod(TARGET, { argv: ['true'] }, { api }, signal)).rejects.toMatchObject({
    reason: 'cluster-down',
  });
});
