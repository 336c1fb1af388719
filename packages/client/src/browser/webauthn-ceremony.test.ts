import { afterEach, describe, expect, it, vi } from 'vitest';
import { createCredential, proveCredential } from './webauthn-ceremony.ts';

const { signal } = new AbortController();
const request = { challenge: 'AAAA', rpId: 'console.example.com' };
const creation = {
  challenge: 'AAAA',
  rp: { id: 'console.example.com', name: 'Console' },
  user: { id: 'AAAA', name: 'ada', displayName: 'Ada' },
  pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
};

afterEach(() => vi.unstubAllGlobals());

describe('a WebAuthn ceremony', () => {
  it('fails in a browser without WebAuthn', async () => {
    expect(await proveCredential(request, signal)).toMatchObject({
      ok: false,
      error: { status: 1, message: 'WebAuthn is not supported in this browser' },
    });
  });

  it.each([
    ['AbortError', 'console.example.com', 'ERROR_CEREMONY_ABORTED'],
    ['SecurityError', 'elsewhere.example.com', 'ERROR_INVALID_RP_ID'],
    ['SecurityError', 'not a domain', 'ERROR_INVALID_DOMAIN'],
    ['UnknownError', 'console.example.com', 'ERROR_AUTHENTICATOR_GENERAL_ERROR'],
    ['NotAllowedError', 'console.example.com', 'ERROR_PASSTHROUGH_SEE_CAUSE_PROPERTY'],
  ])('that the browser rejects with %s on %s fails with %s', async (name, hostname, code) => {
    stubRejectingBrowser(name, hostname);
    expect(await proveCredential(request, signal)).toMatchObject({
      ok: false,
      error: { status: 1, error: code },
    });
  });

  it.each([
    ['platform', 'platform'],
    ['cross-platform', 'cross-platform'],
    ['unknown-attachment', undefined],
    [null, undefined],
  ])(
    'returns all fields of the credential, the attachment %j as %j',
    async (attachment, expected) => {
      const bytes = new Uint8Array([1, 2, 3]).buffer;
      stubBrowserCredential({
        id: 'AQID',
        rawId: bytes,
        type: 'public-key',
        authenticatorAttachment: attachment,
        getClientExtensionResults: () => ({}),
        response: {
          authenticatorData: bytes,
          clientDataJSON: bytes,
          signature: bytes,
          userHandle: bytes,
        },
      });
      const result = await proveCredential(request, signal);
      expect(result).toEqual({
        ok: true,
        body: {
          id: 'AQID',
          rawId: 'AQID',
          type: 'public-key',
          authenticatorAttachment: expected,
          clientExtensionResults: {},
          response: {
            authenticatorData: 'AQID',
            clientDataJSON: 'AQID',
            signature: 'AQID',
            userHandle: 'AQID',
          },
        },
      });
    },
  );

  it('with a key that is already registered fails', async () => {
    stubRejectingBrowser('InvalidStateError', 'console.example.com');
    expect(await createCredential(creation, signal)).toMatchObject({
      ok: false,
      error: { error: 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED' },
    });
  });
});

function stubRejectingBrowser(name: string, hostname: string): void {
  stubBrowser(() => Promise.reject(new DOMException('No', name)), hostname);
}

function stubBrowserCredential(credential: unknown): void {
  stubBrowser(() => Promise.resolve(credential), 'console.example.com');
}

function stubBrowser(result: () => Promise<unknown>, hostname: string): void {
  vi.stubGlobal('PublicKeyCredential', class {});
  vi.stubGlobal('location', { hostname });
  vi.stubGlobal('navigator', { credentials: { get: result, create: result } });
}
