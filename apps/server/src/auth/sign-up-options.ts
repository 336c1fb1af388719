import { z } from 'zod';
import { AuthProblem } from './auth-problem.ts';
import { metadataField } from './metadata-field.ts';
import { redirectToField } from './redirect-to.ts';
import type { NewUser } from './users.ts';

/** Roles that a client may request for a new user. */
const GRANTABLE_ROLES = ['user', 'me'];
const ROLES_MAX = 10;
const DEFAULT_ROLE = 'user';
const DEFAULT_LOCALE = 'en';

/** `options` of every request that may create a user. Unknown fields are ignored. */
export const signUpOptions = z
  .object({
    displayName: z
      .string()
      .max(32)
      .regex(/^[\p{L}\p{N}\p{S} ,.'-]+$/u)
      .nullish(),
    locale: z.string().min(2).max(3).nullish(),
    metadata: metadataField.nullish(),
    allowedRoles: z.array(z.string()).max(ROLES_MAX).nullish(),
    defaultRole: z.string().nullish(),
    redirectTo: redirectToField,
  })
  .nullish();

export type SignUpOptions = z.infer<typeof signUpOptions>;

export type SignUpFields = Pick<NewUser, 'displayName' | 'locale' | 'metadata'> & {
  roles: string[];
  defaultRole: string;
};

/** The new user's fields from the options. Throws for roles that cannot be granted. */
export function signUpFields(options: SignUpOptions, fallbackName: string): SignUpFields {
  const roles = options?.allowedRoles ?? GRANTABLE_ROLES;
  const defaultRole = options?.defaultRole ?? DEFAULT_ROLE;
  if (roles.some((role) => !GRANTABLE_ROLES.includes(role)))
    throw new AuthProblem('role-not-allowed');
  if (!roles.includes(defaultRole)) throw new AuthProblem('default-role-must-be-in-allowed-roles');
  return {
    displayName: options?.displayName ?? fallbackName,
    locale: options?.locale ?? DEFAULT_LOCALE,
    metadata: options?.metadata ?? null,
    roles: [...new Set(roles)],
    defaultRole,
  };
}
