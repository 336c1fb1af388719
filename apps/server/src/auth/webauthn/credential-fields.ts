import { z } from 'zod';

/** The standard's 1023 bytes, as text. */
const CREDENTIAL_ID_MAX_LENGTH = 1_364;
const NICKNAME_MAX_LENGTH = 255;

const base64url = z.string().regex(/^[A-Za-z0-9_-]+$/);
const credentialId = base64url.max(CREDENTIAL_ID_MAX_LENGTH);

/** What a new key answers. Spec §3, Other authentication payloads. */
export const registrationField = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  response: z.object({
    attestationObject: base64url,
    clientDataJSON: base64url,
    /** Hints, so that nonsense is no reason to refuse. */
    transports: z.array(z.string()).nullish().catch(null),
  }),
});

export type RegistrationCredential = z.infer<typeof registrationField>;

/** What a known key answers. */
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

/** An empty one is none. */
export const nicknameField = z
  .string()
  .max(NICKNAME_MAX_LENGTH)
  .nullish()
  .transform((nickname) => nickname?.trim() || undefined);
