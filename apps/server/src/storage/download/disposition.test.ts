import fc from 'fast-check';
import { expect, it } from 'vitest';
import { contentDisposition } from './disposition.ts';

it.each([
  ['a.png', 'image/png', 'inline; filename="a.png"'],
  ['a.txt', 'text/plain; charset=utf-8', 'inline; filename="a.txt"'],
  ['a.mp4', 'video/mp4', 'inline; filename="a.mp4"'],
  ['a.svg', 'image/svg+xml', 'attachment; filename="a.svg"'],
  ['a.html', 'text/html; charset=utf-8', 'attachment; filename="a.html"'],
  ['a.pdf', 'application/pdf', 'attachment; filename="a.pdf"'],
  ['a', 'application/octet-stream', 'attachment; filename="a"'],
  ['naïve.txt', 'text/plain', `inline; filename="na_ve.txt"; filename*=UTF-8''na%C3%AFve.txt`],
  ['a"; x="', 'text/plain', `inline; filename="a_; x=_"; filename*=UTF-8''a%22%3B%20x%3D%22`],
  [
    'a\r\nSet-Cookie: x',
    'text/plain',
    `inline; filename="a__Set-Cookie: x"; filename*=UTF-8''a%0D%0ASet-Cookie%3A%20x`,
  ],
  ["it's (1)*", 'text/plain', `inline; filename="it's (1)*"`],
  ["é'(*)", 'text/plain', `inline; filename="_'(*)"; filename*=UTF-8''%C3%A9%27%28%2A%29`],
])('%s of type %s is sent as %s', (name, type, disposition) => {
  expect(contentDisposition(name, type)).toBe(disposition);
});

it('is a valid header that keeps the name, whatever the name is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      const disposition = contentDisposition(name, 'text/plain');
      expect(() => new Headers({ 'content-disposition': disposition })).not.toThrow();
      const extended = /filename\*=UTF-8''(.*)$/.exec(disposition)?.[1];
      const plain = /^inline; filename="([^"]*)"/.exec(disposition)?.[1];
      expect(extended === undefined ? plain : decodeURIComponent(extended)).toBe(
        name.toWellFormed(),
      );
    }),
  );
});
