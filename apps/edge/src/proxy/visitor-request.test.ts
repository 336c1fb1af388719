import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { VisitorRequest } from './visitor-request.ts';

/** Nobody reads it yet. */
function requestWith(pieces: string[]): VisitorRequest {
  const request = new VisitorRequest(new Socket());
  for (const piece of pieces) request.push(Buffer.from(piece));
  return request;
}

async function piecesOf(request: VisitorRequest): Promise<string[]> {
  const pieces: string[] = [];
  request.on('data', (bytes) => pieces.push(String(bytes)));
  request.push(null);
  await new Promise((resolve) => request.on('end', resolve));
  return pieces;
}

it('passes on the pieces of an ordinary body as they are', async () => {
  const pieces = ['small', 'x'.repeat(60_000), 'also small'];
  expect(await piecesOf(requestWith(pieces))).toEqual(pieces);
});

it('joins many small pieces, in order', async () => {
  const pieces = Array.from({ length: 20_000 }, (_, index) => String(index % 10));
  const received = await piecesOf(requestWith(pieces));
  expect(received.join('')).toBe(pieces.join(''));
  expect(received.length).toBeLessThan(30);
});

it('keeps the order of small and large pieces', async () => {
  const pieces = [...Array.from({ length: 50 }, () => 'a'), 'b'.repeat(2_000), 'c'];
  const received = await piecesOf(requestWith(pieces));
  expect(received.join('')).toBe(pieces.join(''));
});

it('passes on joined pieces without waiting for more', async () => {
  const request = requestWith(Array.from({ length: 50 }, () => 'a'));
  let received = 0;
  request.on('data', (bytes: Buffer) => {
    received += bytes.length;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(received).toBe(50);
});

it('asks to stop when the joined pieces fill the buffer', () => {
  const request = requestWith([]);
  let pushed = 0;
  while (pushed < 1_000_000 && request.push(Buffer.from('a'))) pushed += 1;
  expect(pushed).toBeLessThanOrEqual(request.readableHighWaterMark);
});
