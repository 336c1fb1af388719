import { isEmail } from '@longshore/contract';
import { z } from 'zod';
import { Secret } from '../secrets/secret.ts';

/** An address in the form it is stored in. */
export const emailField = z
  .string()
  .transform((email) => email.trim().toLowerCase())
  .refine(isEmail);

/** Argon2 reads the whole text, so the length is bounded. */
const PASSWORD_MAX_LENGTH = 256;

export const passwordField = z
  .string()
  .max(PASSWORD_MAX_LENGTH)
  .transform((password) => new Secret(password));

/** More than anybody types in place of a set-up code. */
const SETUP_CODE_MAX_LENGTH = 64;

/** Only our own console sends one. A field left empty is none. */
export const setupCodeField = z
  .string()
  .max(SETUP_CODE_MAX_LENGTH)
  .nullish()
  .transform((code) => (code?.trim() ? new Secret(code) : undefined));
