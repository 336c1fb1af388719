import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { detectType } from './detect-type.ts';

const latin1 = (text: string) => Buffer.from(text, 'latin1');

describe('the type of a file', () => {
  it.each<[string, Uint8Array, string]>([
    ['PNG', latin1('\x89PNG\r\n\x1a\n\0\0\0\rIHDR'), 'image/png'],
    ['JPEG', latin1('\xff\xd8\xff\xe0'), 'image/jpeg'],
    ['GIF', latin1('GIF89a\x01\0\x01\0'), 'image/gif'],
    ['WebP', latin1('RIFF\x10\0\0\0WEBPVP8 '), 'image/webp'],
    ['WAV', latin1('RIFF\x10\0\0\0WAVEfmt '), 'audio/wav'],
    ['MP4', latin1('\0\0\0\x18ftypmp42'), 'video/mp4'],
    ['ZIP', latin1('PK\x03\x04\x14\0'), 'application/zip'],
    ['PDF', latin1('%PDF-1.7'), 'application/pdf'],
    ['text that mentions WEBP', latin1('we like WEBP'), 'text/plain; charset=utf-8'],
    ['text that begins like a bitmap', latin1('BM is short'), 'text/plain; charset=utf-8'],
    ['text', Buffer.from('Grüße ✓\n'), 'text/plain; charset=utf-8'],
    ['HTML', Buffer.from('\n<!DOCTYPE html><script>'), 'text/html; charset=utf-8'],
    ['HTML after a comment', Buffer.from('<!-- hi --><HTML><body>'), 'text/html; charset=utf-8'],
    ['a bare script', Buffer.from('<script>alert(1)</script>'), 'text/html; charset=utf-8'],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg">'), 'image/svg+xml'],
    ['SVG after XML', Buffer.from('<?xml version="1.0"?>\n<!-- x --><svg>'), 'image/svg+xml'],
    ['other XML', Buffer.from('<?xml version="1.0"?><rss>'), 'text/xml; charset=utf-8'],
    ['a JSON object', Buffer.from('{\n "a" : 1}'), 'application/json'],
    ['a JSON list', Buffer.from('[{"a":1}]'), 'application/json'],
    [
      'a log that looks like a list',
      Buffer.from('[2026-11-15] ready'),
      'text/plain; charset=utf-8',
    ],
    ['a cut character at the end', latin1('gr\xc3'), 'text/plain; charset=utf-8'],
    ['control characters', latin1('a\0b'), 'application/octet-stream'],
    ['invalid UTF-8', latin1('a\xc3\x28'), 'application/octet-stream'],
    ['no bytes', new Uint8Array(), 'application/octet-stream'],
  ])('is detected from its bytes: %s', async (_, head, type) => {
    expect(await detectType(head)).toBe(type);
  });

  it('is found for any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 600 }), async (head) => {
        expect(await detectType(head)).toMatch(/^[a-z]+\/[a-z0-9.+-]+(; charset=utf-8)?$/);
      }),
    );
  });

  it.each([
    ['begins', '<!--'.repeat(1_024)],
    ['is complete', '<!---->'.repeat(585)],
  ])('is found quickly, however often a comment %s', async (_, text) => {
    expect(await detectType(Buffer.from(text))).toBe('text/plain; charset=utf-8');
  });
});
