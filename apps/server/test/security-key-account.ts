import type { Session } from '@longshore/contract';
import type {
  PublicKeyCredentialCreationOptionsJSON as CreationOptions,
  PublicKeyCredentialRequestOptionsJSON as RequestOptions,
} from '@simplewebauthn/server';
import type { Backend } from './backend.ts';
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

/** What a key is asked to sign, by `/signin/webauthn` or by another path. */
export async function askToSign(
  backend: Backend,
  body: unknown = {},
  { path, headers }: { path: string; headers?: Record<string, string> } = {
    path: '/v1/auth/signin/webauthn',
  },
): Promise<RequestOptions> {
  const answer = await backend.post<RequestOptions>(path, body, headers);
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
  return answer.body;
}

/** The acts that were written down for a user, in order. */
export async function eventsOf({ db }: Backend, userId: string): Promise<string[]> {
  const events = await db
    .selectFrom('auth.events')
    .select('kind')
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();
  return events.map((event) => event.kind);
}
