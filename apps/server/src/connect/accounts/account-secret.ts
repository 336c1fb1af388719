import { z } from 'zod';
import { Secret } from '../../secrets/secret.ts';

/** What the account of a code host is called among the secrets of its integration. */
export const ACCOUNT = 'account';

const Stored = z.object({
  url: z.string(),
  accessToken: z.string(),
  refreshToken: z.string().optional(),
  expiresAt: z.number().optional(),
});

/** What lets us ask a code host in somebody's name. */
export type AccountSecret = {
  /** Sealed with the token, so that nobody who can write to the database has it sent elsewhere. */
  url: string;
  accessToken: Secret;
  /** Only of tokens that end. */
  refreshToken?: Secret | undefined;
  /** Milliseconds since the epoch. Undefined: the provider names no end. */
  expiresAt?: number | undefined;
};

export function toSecret({ url, accessToken, refreshToken, expiresAt }: AccountSecret): Secret {
  const stored: z.infer<typeof Stored> = {
    url,
    accessToken: accessToken.reveal(),
    refreshToken: refreshToken?.reveal(),
    expiresAt,
  };
  return new Secret(JSON.stringify(stored));
}

export function fromSecret(secret: Secret): AccountSecret {
  const { accessToken, refreshToken, ...rest } = Stored.parse(JSON.parse(secret.reveal()));
  return {
    ...rest,
    accessToken: new Secret(accessToken),
    refreshToken: refreshToken === undefined ? undefined : new Secret(refreshToken),
  };
}
