import { isEmail, isStorable } from '@longshore/contract';
import { z } from 'zod';

/** A user's account at a provider. */
export type Profile = {
  accountId: string;
  email: string | undefined;
  /** True only if the provider states it explicitly. */
  isEmailVerified: boolean;
  displayName: string | undefined;
  avatarUrl: string;
};

const NAME_MAX_LENGTH = 100;
const URL_MAX_LENGTH = 2_000;

/** A provider's account id: a number or a string. */
export const accountIdField = z
  .union([z.number().int().positive(), z.string().min(1).max(255).refine(isStorable)])
  .transform(String);

/** Undefined if the value is no e-mail address. */
export const emailField = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === 'string' ? value.trim().toLowerCase() : undefined))
  .transform((email) => (isEmail(email) ? email : undefined));

/** A display name without control and other invisible characters. */
export const nameField = z
  .unknown()
  .optional()
  .transform((value) => {
    if (typeof value !== 'string') return undefined;
    const name = value.toWellFormed().replaceAll(/\p{C}/gu, '').trim();
    return name === '' ? undefined : [...name].slice(0, NAME_MAX_LENGTH).join('');
  });

/** The http(s) URL of an avatar, or an empty string. */
export const pictureField = z
  .unknown()
  .optional()
  .transform((value) => {
    if (typeof value !== 'string' || value.length > URL_MAX_LENGTH) return '';
    const url = URL.canParse(value) ? new URL(value) : undefined;
    return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : '';
  });

const Claims = z.object({
  sub: accountIdField,
  email: emailField,
  // Some providers send a string.
  email_verified: z
    .unknown()
    .optional()
    .transform((value) => value === true || value === 'true'),
  name: nameField,
  picture: pictureField,
});

/** Converts the standard claims of OpenID Connect. Throws if they contain no account id. */
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
