import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { listeningSocketsOf, parseListeningSockets } from './listening-sockets.ts';

it('parses listening sockets from the kernel table and skips the others', () => {
  const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:0BB8 00000000:0000 0A 00000000:0000000B 00:00000000 00000000  1000        0 4242 1 0
   1: 0100007F:0BB9 0100007F:0BB8 01 00000000:00000000 00:00000000 00000000  1000        0 4243 1 0
`;
  expect(parseListeningSockets(table)).toEqual([
    { host: '127.0.0.1', port: 3000, uid: 1000, inode: '4242', waiting: 11 },
  ]);
});

it('finds the sockets that a process listens on', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  expect(listeningSocketsOf([process.pid])).toContainEqual(
    expect.objectContaining({ host: '127.0.0.1', port }),
  );
  await new Promise((resolve) => server.close(resolve));
});
