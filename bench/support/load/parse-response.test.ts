import { expect, it } from 'vitest';
import { parseResponse } from './parse-response.ts';

const RESPONSE = Buffer.from('HTTP/1.1 201 Created\r\nX: y\r\ncontent-length: 3\r\n\r\nné');

it('parses status and body', () => {
  expect(parseResponse(RESPONSE)).toEqual({ status: 201, body: 'né', isLast: false });
});

it('recognizes the last response of a connection', () => {
  const last = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
  expect(parseResponse(last)?.isLast).toBe(true);
});

it('waits until the response is complete', () => {
  for (let length = 0; length < RESPONSE.length; length += 1) {
    expect(parseResponse(RESPONSE.subarray(0, length))).toBeUndefined();
  }
});

it('rejects a response without a length', () => {
  const streamed = Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n');
  expect(() => parseResponse(streamed)).toThrow('without a length');
});
