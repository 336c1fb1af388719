import { connect } from 'node:net';
import { createSimulatedClock } from '@longshore/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { HOST, startApp } from '../../test/ingress-fixture.ts';
import { readyTarget, startProxy } from '../../test/proxy-fixture.ts';

/** A visitor that has sent the first byte of a body to the app. */
async function startUpload() {
  let arrivedBytes = 0;
  let isCut = false;
  const app = await startApp((incoming) => {
    incoming.on('data', (bytes: Buffer) => {
      arrivedBytes += bytes.length;
    });
    incoming.on('error', () => {
      isCut = true;
    });
  });
  const clock = createSimulatedClock();
  const { proxy, port } = await startProxy({ clock });
  const state = { kind: 'live' as const, targets: [readyTarget(app)] };
  proxy.apply({ routes: [{ appId: 'app-1', hosts: [HOST], state }] });
  const visitor = connect(port, '127.0.0.1');
  onTestFinished(() => void visitor.destroy());
  let received = '';
  visitor.on('data', (bytes) => {
    received += String(bytes);
  });
  async function send(body: string): Promise<void> {
    const expected = arrivedBytes + body.length;
    visitor.write(body);
    await expect.poll(() => arrivedBytes).toBe(expected);
  }
  visitor.write(`POST / HTTP/1.1\r\nHost: ${HOST}\r\nContent-Length: 100000\r\n\r\n`);
  await send('x');
  return { clock, send, received: () => received, isCut: () => isCut };
}

it('ends an upload that only occupies the app', async () => {
  const { clock, received, isCut } = await startUpload();
  await clock.advance(29_000);
  expect(received()).toBe('');
  await clock.advance(6_000);
  await expect.poll(received).toMatch(/^HTTP\/1.1 408 [\s\S]*"slow-upload"/);
  await expect.poll(isCut).toBe(true);
});

it('keeps an upload of which bytes arrive', async () => {
  const { clock, send, received, isCut } = await startUpload();
  for (let passed = 0; passed < 60_000; passed += 10_000) {
    await send('x'.repeat(3_000));
    await clock.advance(10_000);
  }
  expect(received()).toBe('');
  expect(isCut()).toBe(false);
});
