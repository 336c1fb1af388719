import { generateSecret, generateURI, verifySync } from 'otplib';
import { Secret } from '../../secrets/secret.ts';

const ISSUER = 'Longshore';
const SECRET_BYTES = 32;
const STEP_SECONDS = 30;
const CODE = /^\d{6}$/;

export function newTotpSecret(): Secret {
  return new Secret(generateSecret({ length: SECRET_BYTES }));
}

/** The content of the QR code. All authenticator apps support the defaults: SHA-1, six digits, 30 seconds. */
export function totpUri(secret: Secret, label: string): string {
  return generateURI({ issuer: ISSUER, label, secret: secret.reveal() });
}

/** The time step of a valid code: the current, previous or next one, because clocks differ. */
export function totpStep(secret: Secret, entered: string, nowMs: number): number | undefined {
  const code = entered.replaceAll(/\s/g, '');
  if (!CODE.test(code)) return undefined;
  const verified = verifySync({
    secret: secret.reveal(),
    token: code,
    epoch: Math.floor(nowMs / 1_000),
    epochTolerance: STEP_SECONDS,
  });
  return verified.valid && 'timeStep' in verified ? verified.timeStep : undefined;
}
