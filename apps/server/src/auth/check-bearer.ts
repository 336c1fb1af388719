import type { AccessTokens, Identified } from './access-token.ts';

/** The result of checking an Authorization header. `unauthenticated`: the request has none. `ended`: signed out. */
export type BearerCheck =
  | { kind: 'unauthenticated' }
  | { kind: 'identified'; identified: Identified }
  | { kind: 'refused'; why: 'malformed' | 'expired' | 'forged' | 'ended' };

const BEARER = /^Bearer ([^\s]+)$/;

export async function checkBearer(
  authorization: string | undefined,
  accessTokens: AccessTokens,
): Promise<BearerCheck> {
  if (authorization === undefined || authorization === '') return { kind: 'unauthenticated' };
  const token = BEARER.exec(authorization)?.[1];
  if (token === undefined) return { kind: 'refused', why: 'malformed' };
  const verification = await accessTokens.verify(token);
  return verification.kind === 'valid'
    ? { kind: 'identified', identified: verification.identified }
    : { kind: 'refused', why: verification.kind };
}
