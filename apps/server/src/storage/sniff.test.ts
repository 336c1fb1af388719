import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sniffType } from './sniff.ts';

const latin1 = (text: string) => Buffer.from(text, 'latin1');

describe('the type of a file', () => {
  it.each<[string, Uint8Array, string]>([
    ['a picture', latin1('\x89PNG\r\n\x1a\n....'), 'image/png'],
    ['a photo', latin1('\xff\xd8\xff\xe0'), 'image/jpeg'],
    ['a webp', latin1('RIFF\x10\0\0\0WEBPVP8 '), 'image/webp'],
    ['a wave', latin1('RIFF\x10\0\0\0WAVEfmt '), 'audio/wav'],
    ['text that only mentions WEBP', latin1('we like WEBP'), 'text/plain; charset=utf-8'],
    ['a film', latin1('\0\0\0\x18ftypmp42'), 'video/mp4'],
    ['an archive', latin1('PK\x03\x04\x14\0'), 'application/zip'],
    ['a document', latin1('%PDF-1.7'), 'application/pdf'],
    ['words', Buffer.from('Grüße ✓\n'), 'text/plain; charset=utf-8'],
    ['a page', Buffer.from('\n<!DOCTYPE html><script>'), 'text/html; charset=utf-8'],
    ['a page behind a comment', Buffer.from('<!-- hi --><HTML><body>'), 'text/html; charset=utf-8'],
    ['a bare script', Buffer.from('<script>alert(1)</script>'), 'text/html; charset=utf-8'],
    ['a drawing', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg">'), 'image/svg+xml'],
    ['a declared drawing', Buffer.from('<?xml version="1.0"?>\n<!-- x --><svg>'), 'image/svg+xml'],
    ['other XML', Buffer.from('<?xml version="1.0"?><rss>'), 'text/xml; charset=utf-8'],
    ['an object', Buffer.from('{\n "a" : 1}'), 'application/json'],
    ['a list', Buffer.from('[{"a":1}]'), 'application/json'],
    [
      'a log that looks like a list',
      Buffer.from('[2026-11-15] ready'),
      'text/plain; charset=utf-8',
    ],
    ['half a character at the end', latin1('gr\xc3'), 'text/plain; charset=utf-8'],
    ['no text', latin1('a\0b'), 'application/octet-stream'],
    ['broken text', latin1('a\xc3\x28'), 'application/octet-stream'],
    ['nothing', new Uint8Array(), 'application/octet-stream'],
  ])('is told by its bytes: %s', (_, head, type) => {
    expect(sniffType(head)).toBe(type);
  });

  it('is found for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), (head) => {
        expect(sniffType(head)).toMatch(/^[a-z]+\/[a-z0-9.+-]+(; charset=utf-8)?$/);
      }),
    );
  });

  it.each([
    ['begins', '<!--'.repeat(1_024)],
    ['is there', '<!---->'.repeat(585)],
  ])('is found soon, however often a comment %s', (_, text) => {
    expect(sniffType(Buffer.from(text))).toBe('text/plain; charset=utf-8');
  });
});
