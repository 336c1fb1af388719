import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { HOST, startServing } from '../../test/ingress-fixture.ts';

const CHUNK = Buffer.alloc(64 * 1024, 'x');
const TOO_MUCH_BYTES = 256 * 1024 * 1024;

/** Writes until backpressure stops it. Returns the number of bytes written. */
async function writeUntilFull(response: ServerResponse): Promise<number> {
  let written = 0;
  while (written < TOO_MUCH_BYTES) {
    written += CHUNK.length;
    if (response.write(CHUNK)) continue;
    const drained = once(response, 'drain').then(() => true);
    const timedOut = new Promise((resolve) => setTimeout(resolve, 300, false));
    if (!(await Promise.race([drained, timedOut]))) return written;
  }
  return written;
}

it('applies backpressure to the app when a client does not read', async () => {
  const { port, app } = await startServing(() => {});
  const arrived = once(app.server, 'request');
  const socket = connect(port, '127.0.0.1');
  socket.pause();
  socket.write(`GET / HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`);
  const [, response] = await arrived;
  expect(await writeUntilFull(response)).toBeLessThan(TOO_MUCH_BYTES / 4);
  socket.destroy();
  await once(response, 'close');
});
