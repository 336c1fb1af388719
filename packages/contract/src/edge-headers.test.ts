import { describe, expect, it } from 'vitest';
import { headersProblem } from './edge-headers.ts';

describe('headersProblem', () => {
  it.each([
    ['X-Frame-Options', 'DENY'],
    ['Content-Security-Policy', "default-src 'self'; img-src *"],
    ['Cache-Control', 'public, max-age=60'],
    ['access-control-allow-origin', '*'],
    ['X-Robots-Tag', 'noindex'],
  ])('accepts %s', (name, value) => {
    expect(headersProblem([[name, value]])).toBeUndefined();
  });

  it.each([
    ['', 'a', /is required/],
    ['X Frame', 'a', /letters, digits and hyphens/],
    ['X-A:', 'a', /letters, digits and hyphens/],
    ['X-Ä', 'a', /letters, digits and hyphens/],
    ['X-A\r\nSet-Cookie', 'a', /letters, digits and hyphens/],
    ['__proto__', 'a', /letters, digits and hyphens/],
    ['Transfer-Encoding', 'chunked', /set by the edge/],
    ['content-length', '0', /set by the edge/],
    ['Connection', 'close', /set by the edge/],
    ['Sec-WebSocket-Accept', 'a', /set by the edge/],
    ['SET-COOKIE', 'a=b', /Only the app/],
    ['Location', '/', /Only the app/],
    ['WWW-Authenticate', 'Basic', /Only the app/],
    ['Content-Encoding', 'gzip', /Only the app/],
    ['Strict-Transport-Security', 'max-age=1', 'Use the HSTS setting'],
    ['X-A', '', 'Header value is required'],
    ['X-A', 'a\r\nSet-Cookie: b=c', /printable ASCII/],
    ['X-A', 'a\0', /printable ASCII/],
    ['X-A', 'ü', /printable ASCII/],
    ['X-A', ' a', /no space at either end/],
    ['X-A', 7, 'Header values must be text'],
  ])('refuses %j: %j', (name, value, message) => {
    const expected = typeof message === 'string' ? message : expect.stringMatching(message);
    expect(headersProblem([[name, value]])).toEqual({ name, message: expected });
  });

  it('refuses the same header twice', () => {
    const headers = [
      ['X-A', 'a'],
      ['x-a', 'b'],
    ] as const;
    expect(headersProblem(headers)).toEqual({
      name: 'x-a',
      message: 'This header is listed twice',
    });
  });

  it('refuses more than a response can have', () => {
    const many = Array.from({ length: 51 }, (_, index) => [`X-${index}`, 'a'] as const);
    expect(headersProblem(many)?.message).toBe('At most 50 headers are allowed');
    expect(headersProblem([['X-A', 'a'.repeat(8_000)]])?.message).toMatch(
      /at most 8000 characters/,
    );
  });
});
