import { generateSync } from 'otplib';
import { describe, expect, it } from 'vitest';
import { newTotpSecret, totpStep, totpUri } from './totp.ts';

const NOW_MS = 1_800_000_015_000;
const STEP = NOW_MS / 30_000 - 0.5;
const secret = newTotpSecret();

const codeAt = (offsetSeconds: number) =>
  generateSync({ secret: secret.reveal(), epoch: NOW_MS / 1_000 + offsetSeconds });

describe('newTotpSecret', () => {
  it('is 32 random bytes in base 32', () => {
    expect(secret.reveal()).toMatch(/^[A-Z2-7]{52}$/);
    expect(newTotpSecret().reveal()).not.toBe(secret.reveal());
  });
});

describe('totpUri', () => {
  it('contains the issuer, the user and the secret', () => {
    const uri = new URL(totpUri(secret, 'ada+x@example.com'));
    expect(uri.protocol).toBe('otpauth:');
    expect(decodeURIComponent(uri.pathname)).toContain('Longshore:ada+x@example.com');
    expect(uri.searchParams.get('issuer')).toBe('Longshore');
    expect(uri.searchParams.get('secret')).toBe(secret.reveal());
  });
});

describe('totpStep', () => {
  it.each([
    ['of the current step', 0, STEP],
    ['of the previous step', -30, STEP - 1],
    ['of the next step', 30, STEP + 1],
  ])('accepts a code %s', (_, offsetSeconds, step) => {
    expect(totpStep(secret, codeAt(offsetSeconds), NOW_MS)).toBe(step);
  });

  it('ignores the space that authenticator apps show', () => {
    const code = codeAt(0);
    expect(totpStep(secret, ` ${code.slice(0, 3)} ${code.slice(3)}`, NOW_MS)).toBe(STEP);
  });

  it.each([
    ['a minute old', codeAt(-60)],
    ['a minute early', codeAt(60)],
    ['of another secret', generateSync({ secret: newTotpSecret().reveal(), epoch: 1 })],
    ['too short', codeAt(0).slice(1)],
    ['too long', `${codeAt(0)}0`],
    ['empty', ''],
    ['made of non-ASCII digits', '١٢٣٤٥٦'],
    ['made of letters', 'abcdef'],
  ])('rejects a code that is %s', (_, code) => {
    expect(totpStep(secret, code, NOW_MS)).toBeUndefined();
  });
});
