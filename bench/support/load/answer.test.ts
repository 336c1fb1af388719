import { expect, it } from 'vitest';
import { parseAnswer } from './answer.ts';

const ANSWER = Buffer.from('HTTP/1.1 201 Created\r\nX: y\r\ncontent-length: 3\r\n\r\nné');

it('reads status and body', () => {
  expect(parseAnswer(ANSWER)).toEqual({ status: 201, body: 'né' });
});

it('waits until all of it has come', () => {
  for (let length = 0; length < ANSWER.length; length += 1) {
    expect(parseAnswer(ANSWER.subarray(0, length))).toBeUndefined();
  }
});

it('does not guess where an answer without a length ends', () => {
  const streamed = Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n');
  expect(() => parseAnswer(streamed)).toThrow('without a length');
});
