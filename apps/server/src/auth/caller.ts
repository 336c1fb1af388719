import type { AccessTokens, Identified } from './access-token.ts';

/** What the Authorization header says of the caller. */
export type Caller =
  | { kind: 'unauthenticated' }
  | { kind: 'identified'; identified: Identified }
  | { kind: 'refused'; why: 'malformed' | 'expired' | 'forged' };

const BEARER = /^Bearer ([^\s]+)$/;

export async function callerOf(
  authorization: string | undefined,
  accessTokens: AccessTokens,
): Promise<Caller> {
  if (authorization === undefined || authorization === '') return { kind: 'unauthenticated' };
  const token = BEARER.exec(authorization)?.[1];
  if (token === undefined) return { kind: 'refused', why: 'malformed' };
  const verdict = await accessTokens.verify(token);
  return verdict.kind === 'valid'
    ? { kind: 'identified', identified: verdict.identified }
    : { kind: 'refused', why: verdict.kind };
}
