import { AUTH_PATHS } from '@longshore/contract';
import { Hono } from 'hono';
import type { AuthDeps } from '../deps.ts';
import { createWebauthnDeps } from './deps.ts';
import { elevateWebauthn, elevateWebauthnVerify } from './elevate-webauthn.ts';
import {
  addSecurityKey,
  addSecurityKeyVerify,
  listSecurityKeys,
  removeSecurityKey,
} from './manage-security-keys.ts';
import { signInWebauthn, signInWebauthnVerify } from './sign-in-webauthn.ts';
import { signUpWebauthn, signUpWebauthnVerify } from './sign-up-webauthn.ts';

/** Sign-up, sign-in, elevation and management of security keys. */
export function createWebauthnRoutes(authDeps: AuthDeps): Hono {
  const deps = createWebauthnDeps(authDeps);
  return new Hono()
    .post(AUTH_PATHS.signUpWebauthn, (context) => signUpWebauthn(context, deps))
    .post(AUTH_PATHS.signUpWebauthnVerify, (context) => signUpWebauthnVerify(context, deps))
    .post(AUTH_PATHS.signInWebauthn, (context) => signInWebauthn(context, deps))
    .post(AUTH_PATHS.signInWebauthnVerify, (context) => signInWebauthnVerify(context, deps))
    .post(AUTH_PATHS.addSecurityKey, (context) => addSecurityKey(context, deps))
    .post(AUTH_PATHS.addSecurityKeyVerify, (context) => addSecurityKeyVerify(context, deps))
    .post(AUTH_PATHS.elevateWebauthn, (context) => elevateWebauthn(context, deps))
    .post(AUTH_PATHS.elevateWebauthnVerify, (context) => elevateWebauthnVerify(context, deps))
    .get(AUTH_PATHS.securityKeys, (context) => listSecurityKeys(context, deps))
    .delete(AUTH_PATHS.securityKey, (context) => removeSecurityKey(context, deps));
}
