import { generateSecret, generateURI, verifySync } from 'otplib';
import { Secret } from '../../secrets/secret.ts';

const ISSUER = 'Longshore';
const SECRET_BYTES = 32;
const STEP_SECONDS = 30;
const CODE = /^\d{6}$/;

export function newTotpSecret(): Secret {
  return new Secret(generateSecret({ length: SECRET_BYTES }));
}

/** What an authenticator reads from the picture. SHA-1, six digits and half a minute are what all of them know. */
export function totpUri(secret: Secret, label: string): string {
  return generateURI({ issuer: ISSUER, label, secret: secret.reveal() });
}

/** The time step a code belongs to: the present one or a neighbour, as clocks differ. */
export function totpStep(secret: Secret, typed: string, nowMs: number): number | undefined {
  const code = typed.replaceAll(/\s/g, '');
  if (!CODE.test(code)) return undefined;
  const verified = verifySync({
    secret: secret.reveal(),
    token: code,
    epoch: Math.floor(nowMs / 1_000),
    epochTolerance: STEP_SECONDS,
  });
  return verified.valid && 'timeStep' in verified ? verified.timeStep : undefined;
}
