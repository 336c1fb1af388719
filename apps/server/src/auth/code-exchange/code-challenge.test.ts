import { describe, expect, it } from 'vitest';
import { codeChallengeField, codeVerifierField, matchesChallenge } from './code-challenge.ts';

/** RFC 7636, appendix B. */
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

describe('matchesChallenge', () => {
  it('accepts the verifier of a challenge', () => {
    expect(matchesChallenge(VERIFIER, CHALLENGE)).toBe(true);
  });

  it.each([
    ['another verifier', VERIFIER.replace('d', 'e'), CHALLENGE],
    ['the challenge itself, which the PKCE method "plain" accepts', CHALLENGE, CHALLENGE],
    ['an empty verifier', '', CHALLENGE],
    ['a shorter challenge', VERIFIER, CHALLENGE.slice(1)],
  ])('rejects %s', (_, verifier, challenge) => {
    expect(matchesChallenge(verifier, challenge)).toBe(false);
  });
});

describe('codeChallengeField', () => {
  it.each([
    [CHALLENGE, CHALLENGE],
    [null, undefined],
    [undefined, undefined],
  ])('parses %s', (value, parsed) => {
    expect(codeChallengeField.parse(value)).toBe(parsed);
  });

  it.each([[''], ['a'.repeat(42)], ['a'.repeat(44)], [`${'a'.repeat(42)}+`], [7], [[CHALLENGE]]])(
    'rejects %s',
    (value) => {
      expect(codeChallengeField.safeParse(value).success).toBe(false);
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
  ])('accepts 43 to 128 unreserved characters: %s', (value, isAccepted) => {
    expect(codeVerifierField.safeParse(value).success).toBe(isAccepted);
  });
});
