import { AUTH_PATHS } from '@longshore/contract';
import { Hono } from 'hono';
import type { AuthDeps } from '../deps.ts';
import { addSecurityKey } from './add-security-key.ts';
import { addSecurityKeyVerify } from './add-security-key-verify.ts';
import { withSecurityKeys } from './deps.ts';
import { elevateWebauthn } from './elevate-webauthn.ts';
import { elevateWebauthnVerify } from './elevate-webauthn-verify.ts';
import { listSecurityKeys } from './list-security-keys.ts';
import { removeSecurityKey } from './remove-security-key.ts';
import { signInWebauthn } from './sign-in-webauthn.ts';
import { signInWebauthnVerify } from './sign-in-webauthn-verify.ts';
import { signUpWebauthn } from './sign-up-webauthn.ts';
import { signUpWebauthnVerify } from './sign-up-webauthn-verify.ts';

/** Everything about security keys. Wire §3.13. */
export function createWebauthnRoutes(authDeps: AuthDeps): Hono {
  const deps = withSecurityKeys(authDeps);
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
