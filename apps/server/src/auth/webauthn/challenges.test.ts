import { describe, expect, it } from 'vitest';
import { challengeOfClientData } from './challenges.ts';

const CHALLENGE = 'Zm9yIGEgc2VjdXJpdHkga2V5IHRvIHNpZ24sIG9uY2U';

describe('challengeOfClientData', () => {
  it.each([
    ['a valid challenge', JSON.stringify({ challenge: CHALLENGE, type: 'x' }), CHALLENGE],
    ['a challenge that is too long', JSON.stringify({ challenge: `${CHALLENGE}A` }), undefined],
    [
      'a challenge with a null character',
      JSON.stringify({ challenge: `${CHALLENGE.slice(1)}\0` }),
      undefined,
    ],
    ['a number', '{"challenge":1}', undefined],
    ['a list', '[]', undefined],
    ['null', 'null', undefined],
    ['no JSON', '{', undefined],
    ['nothing', '', undefined],
  ])('reads client data with %s', (_, text, challenge) => {
    expect(challengeOfClientData(Buffer.from(text).toString('base64url'))).toBe(challenge);
  });
});
