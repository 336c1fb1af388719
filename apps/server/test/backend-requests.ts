import { randomUUID } from 'node:crypto';
import type { Session } from '@longshore/contract';

type BackendResponse<T> = { status: number; body: T; headers: Headers };

type Send = (path: string, init: RequestInit) => Response | Promise<Response>;

/** Requests as a client sends them. */
export function requestsTo(send: Send) {
  async function request<T = Record<string, unknown>>(
    path: string,
    init: RequestInit = {},
  ): Promise<BackendResponse<T>> {
    const response = await send(path, init);
    const text = await response.text();
    const body = (text === '' ? undefined : JSON.parse(text)) as T;
    return { status: response.status, body, headers: response.headers };
  }

  return {
    request,
    post: <T = Record<string, unknown>>(
      path: string,
      body: unknown,
      headers: Record<string, string> = {},
    ) =>
      request<T>(path, {
        method: 'POST',
        body: typeof body === 'string' ? body : JSON.stringify(body),
        headers: { 'content-type': 'application/json', ...headers },
      }),
    async signUp(email = `${randomUUID()}@example.com`): Promise<Session> {
      const response = await send('/v1/auth/signup/email-password', {
        method: 'POST',
        body: JSON.stringify({ email, password: 'correct horse' }),
      });
      const { session } = (await response.json()) as { session: Session };
      return session;
    },
  };
}
