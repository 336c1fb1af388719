import { expect, it } from 'vitest';
import { BindFailed } from './bind-listeners.ts';
import { bindProblem, ownWorkers } from './launch-problems.ts';
import { edgeOf, listeningInodes, type PortHolder } from './port-holder.ts';

const listener = { protocol: 'http', host: '0.0.0.0', port: 80 } as const;
const worker: PortHolder = { pid: 8, argv: ['/n/node', '--flag', '/p/worker.mjs', '/data/edge'] };
const keeper: PortHolder = { pid: 7, argv: ['/n/node', '--flag', '/p/keeper.mjs', '/data/edge'] };
const nginx: PortHolder = { pid: 9, argv: ['nginx: master process'] };

function textOf(code: string, holders: PortHolder[] = [], folder = '/mine/edge'): string {
  const cause = Object.assign(new Error('the cause'), { code });
  return bindProblem(new BindFailed(listener, cause), holders, folder).text;
}

it.each([
  ['EADDRINUSE', [], 'Port 80 is already in use.'],
  ['EADDRINUSE', [nginx], 'Port 80 is already in use by process 9 (nginx: master process).'],
  [
    'EADDRINUSE',
    [keeper, worker],
    'Port 80 is already in use by the Longshore installation with the data directory /data.',
  ],
  ['EADDRNOTAVAIL', [], 'This machine has no address 0.0.0.0.'],
  ['EINVAL', [], 'Cannot listen on 0.0.0.0, port 80: the cause'],
])('%s, held by %j: %s', (code, holders, text) => {
  expect(textOf(code, holders)).toBe(text);
});

it('says that the edge of this installation runs already', () => {
  expect(textOf('EADDRINUSE', [worker, keeper], '/data/edge')).toBe(
    'Port 80 is already in use by the edge of this installation, process 7.',
  );
});

it('explains how to permit low ports', () => {
  const text = textOf('EACCES');
  expect(text).toContain('as root');
  expect(text).toContain('sysctl net.ipv4.ip_unprivileged_port_start=80');
  expect(text).toContain('setcap cap_net_bind_service=+ep ');
});

it.each<[string, PortHolder[], string, number]>([
  ['workers without a keeper', [worker], '/data/edge', 1],
  ['a keeper', [worker, keeper], '/data/edge', 0],
  ['workers of another folder', [worker], '/mine/edge', 0],
  ['another program beside them', [worker, nginx], '/data/edge', 0],
  ['nobody', [], '/data/edge', 0],
])('a port held by %s: %j are left over in %s', (_who, holders, folder, count) => {
  expect(ownWorkers(folder, holders)).toHaveLength(count);
});

it.each<[string[], string | undefined]>([
  [['/n/node', '/p/worker.mjs', '/data/edge'], '/data/edge'],
  [['/n/node', '--x', '/p/keeper.mjs', '/data/edge'], '/data/edge'],
  [['/n/node', '/p/worker.mjs'], undefined],
  [['worker.mjs', '/data/edge'], undefined],
  [['vim', 'keeper.mjs.bak', '/data'], undefined],
  [[], undefined],
])('%j is an edge of %s', (argv, folder) => {
  expect(edgeOf({ pid: 1, argv })?.folder).toBe(folder);
});

it('finds the sockets that listen on a port', () => {
  const table = [
    '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
    '   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 111 1',
    '   1: 0100007F:1F90 0100007F:C350 01 00000000:00000000 00:00000000 00000000     0        0 222 1',
    '   2: 00000000000000000000000000000000:1F90 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 333 1',
    '   3: 0100007F:0050 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 444 1',
  ].join('\n');
  expect(listeningInodes(table, 8080)).toEqual(['111', '333']);
  expect(listeningInodes(table, 80)).toEqual(['444']);
});
