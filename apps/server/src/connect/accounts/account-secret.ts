import { z } from 'zod';
import { Secret } from '../../secrets/secret.ts';

const Stored = z.object({
  url: z.string(),
  accessToken: z.string(),
  refreshToken: z.string().optional(),
  expiresAt: z.number().optional(),
});

/** The credentials of an account at a code host. */
export type AccountSecret = {
  /** Encrypted with the token: write access to the database is not enough to send the token to another host. */
  url: string;
  accessToken: Secret;
  /** Only for tokens that expire. */
  refreshToken?: Secret | undefined;
  /** Milliseconds since the epoch. Undefined if the token does not expire. */
  expiresAt?: number | undefined;
};

export function serializeAccountSecret(account: AccountSecret): Secret {
  const { url, accessToken, refreshToken, expiresAt } = account;
  const stored: z.infer<typeof Stored> = {
    url,
    accessToken: accessToken.reveal(),
    refreshToken: refreshToken?.reveal(),
    expiresAt,
  };
  return new Secret(JSON.stringify(stored));
}

export function parseAccountSecret(secret: Secret): AccountSecret {
  const { accessToken, refreshToken, ...rest } = Stored.parse(JSON.parse(secret.reveal()));
  return {
    ...rest,
    accessToken: new Secret(accessToken),
    refreshToken: refreshToken === undefined ? undefined : new Secret(refreshToken),
  };
}
