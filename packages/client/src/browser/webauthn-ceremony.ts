import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
  WebAuthnError,
} from '@simplewebauthn/browser';
import type { AuthResponse } from '../auth/auth-api.ts';

type CreationOptions = Parameters<typeof startRegistration>[0]['optionsJSON'];
type RequestOptions = Parameters<typeof startAuthentication>[0]['optionsJSON'];

export function createCredential(options: unknown, signal: AbortSignal): Promise<AuthResponse> {
  return perform(() => startRegistration({ optionsJSON: options as CreationOptions }), signal);
}

export function proveCredential(options: unknown, signal: AbortSignal): Promise<AuthResponse> {
  return perform(() => startAuthentication({ optionsJSON: options as RequestOptions }), signal);
}

async function perform(
  ceremony: () => Promise<unknown>,
  signal: AbortSignal,
): Promise<AuthResponse> {
  const cancel = () => WebAuthnAbortService.cancelCeremony();
  signal.addEventListener('abort', cancel);
  try {
    return { ok: true, body: await ceremony() };
  } catch (cause) {
    return { ok: false, error: ceremonyError(cause) };
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** `error` is the error code of the authenticator or the browser (spec-map 8.1.24). */
function ceremonyError(cause: unknown) {
  if (cause instanceof WebAuthnError) {
    return { status: 1, error: cause.code as string, message: cause.message };
  }
  if (!browserSupportsWebAuthn()) {
    const message = 'WebAuthn is not supported in this browser';
    return { status: 1, error: 'webauthn-not-supported', message };
  }
  const { name, message } = cause instanceof Error ? cause : new Error(String(cause));
  return { status: 1, error: name, message };
}
