import type { Session } from '@longshore/contract';
import type {
  PublicKeyCredentialCreationOptionsJSON as CreationOptions,
  PublicKeyCredentialRequestOptionsJSON as RequestOptions,
} from '@simplewebauthn/server';
import type { Backend } from '../backend.ts';
import { type SoftwareAuthenticator, softwareAuthenticator } from './software-authenticator.ts';

export const INVALID_REQUEST = {
  status: 400,
  error: 'invalid-request',
  message: 'The request payload is incorrect',
};

/** A user whose only credential is a security key. */
export async function signUpWithKey(
  backend: Backend,
  email: string,
): Promise<{ key: SoftwareAuthenticator; session: Session }> {
  const key = softwareAuthenticator();
  const { body: options } = await backend.post<CreationOptions>('/v1/auth/signup/webauthn', {
    email,
  });
  const { body } = await backend.post<{ session: Session }>('/v1/auth/signup/webauthn/verify', {
    credential: key.create(options),
  });
  return { key, session: body.session };
}

/** The request options for a security key, from `/signin/webauthn` or another path. */
export async function requestSignature(
  backend: Backend,
  body: unknown = {},
  { path, headers }: { path: string; headers?: Record<string, string> } = {
    path: '/v1/auth/signin/webauthn',
  },
): Promise<RequestOptions> {
  const response = await backend.post<RequestOptions>(path, body, headers);
  if (response.status !== 200) throw new Error(`${path} responded with ${response.status}`);
  return response.body;
}
