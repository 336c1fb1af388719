import { z } from 'zod';
import { accountIdField, emailOrNone, nameOrNone, pictureOrNone } from './profile-fields.ts';
import type { Profile } from './provider.ts';

const Claims = z.object({
  sub: accountIdField,
  email: emailOrNone,
  // Some providers write it as text.
  email_verified: z
    .unknown()
    .optional()
    .transform((value) => value === true || value === 'true'),
  name: nameOrNone,
  picture: pictureOrNone,
});

/** The standard claims of OpenID Connect as a profile. Throws when they name no account. */
export function profileOfClaims(claims: unknown): Profile {
  const { sub, email, email_verified, name, picture } = Claims.parse(claims);
  return {
    accountId: sub,
    email,
    isEmailVerified: email_verified,
    displayName: name,
    avatarUrl: picture,
  };
}
