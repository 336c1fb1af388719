import { describe, expect, it } from 'vitest';
import { relyingPartyOf } from './relying-party.ts';

describe('relyingPartyOf', () => {
  it.each([
    ['http://localhost:1337', [], 'localhost', ['http://localhost:1337']],
    ['https://ship.example.com', [], 'ship.example.com', ['https://ship.example.com']],
    [
      'https://example.com',
      ['https://app.example.com/after/sign-in', 'https://example.com/home'],
      'example.com',
      ['https://example.com', 'https://app.example.com'],
    ],
    ['https://example.com', ['myapp://open', 'not a URL'], 'example.com', ['https://example.com']],
  ])(
    'of %s and %j has the host %s and the origins %j',
    (publicUrl, allowedRedirects, id, origins) => {
      expect(relyingPartyOf({ publicUrl, allowedRedirects, allowedOrigins: [] })).toEqual({
        id,
        name: 'Longshore',
        origins,
      });
    },
  );

  it('includes allowed origins once', () => {
    const allowedOrigins = ['https://app.example.com', 'https://example.com'];
    const allowedRedirects = ['https://app.example.com/welcome'];
    const settings = { publicUrl: 'https://example.com', allowedRedirects, allowedOrigins };
    expect(relyingPartyOf(settings).origins).toEqual([
      'https://example.com',
      'https://app.example.com',
    ]);
  });
});
