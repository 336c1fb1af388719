import { z } from 'zod';

/** WebAuthn's limit of 1023 bytes, in base64url. */
const CREDENTIAL_ID_MAX_LENGTH = 1_364;
const NICKNAME_MAX_LENGTH = 255;

const base64url = z.string().regex(/^[A-Za-z0-9_-]+$/);
const credentialId = base64url.max(CREDENTIAL_ID_MAX_LENGTH);

/** The response of a new security key (spec-map 3.13.5). */
export const registrationField = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  response: z.object({
    attestationObject: base64url,
    clientDataJSON: base64url,
    /** Only hints, so invalid values are ignored. */
    transports: z.array(z.string()).nullish().catch(null),
  }),
});

export type RegistrationCredential = z.infer<typeof registrationField>;

/** The response of a registered security key (spec-map 3.13.6). */
export const assertionField = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  response: z.object({
    authenticatorData: base64url,
    clientDataJSON: base64url,
    signature: base64url,
    userHandle: z.string().nullish(),
  }),
});

export type AssertionCredential = z.infer<typeof assertionField>;

/** An empty nickname counts as absent. */
export const nicknameField = z
  .string()
  .max(NICKNAME_MAX_LENGTH)
  .nullish()
  .transform((nickname) => nickname?.trim() || undefined);
