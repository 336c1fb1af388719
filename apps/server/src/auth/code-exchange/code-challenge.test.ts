import { describe, expect, it } from 'vitest';
import { codeChallengeField, codeVerifierField, meetsChallenge } from './code-challenge.ts';

/** RFC 7636, appendix B. */
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

describe('meetsChallenge', () => {
  it('knows the verifier of a challenge', () => {
    expect(meetsChallenge(VERIFIER, CHALLENGE)).toBe(true);
  });

  it.each([
    ['another verifier', VERIFIER.replace('d', 'e'), CHALLENGE],
    ['the challenge itself, as the plain method would', CHALLENGE, CHALLENGE],
    ['nothing', '', CHALLENGE],
    ['a shorter challenge', VERIFIER, CHALLENGE.slice(1)],
  ])('does not take %s', (_, verifier, challenge) => {
    expect(meetsChallenge(verifier, challenge)).toBe(false);
  });
});

describe('codeChallengeField', () => {
  it.each([
    [CHALLENGE, CHALLENGE],
    [null, undefined],
    [undefined, undefined],
  ])('reads %s', (given, read) => {
    expect(codeChallengeField.parse(given)).toBe(read);
  });

  it.each([[''], ['a'.repeat(42)], ['a'.repeat(44)], [`${'a'.repeat(42)}+`], [7], [[CHALLENGE]]])(
    'refuses %s',
    (given) => {
      expect(codeChallengeField.safeParse(given).success).toBe(false);
    },
  );
});

describe('codeVerifierField', () => {
  it.each([
    ['a'.repeat(42), false],
    ['a'.repeat(43), true],
    ['a.-_~'.repeat(25), true],
    ['a'.repeat(128), true],
    ['a'.repeat(129), false],
    [`${'a'.repeat(43)} `, false],
    [null, false],
  ])('takes 43 to 128 characters of the standard: %s', (given, isTaken) => {
    expect(codeVerifierField.safeParse(given).success).toBe(isTaken);
  });
});
