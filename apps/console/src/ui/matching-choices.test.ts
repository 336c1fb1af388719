import { describe, expect, it } from 'vitest';
import { matchingChoices } from './matching-choices.ts';

const choices = ['main', 'feature/Login', 'v1.0'].map((value) => ({ value, note: 'branch' }));

describe('the choices below a field', () => {
  it.each([
    ['', ['main', 'feature/Login', 'v1.0']],
    ['login', ['feature/Login']],
    ['main', ['main', 'feature/Login', 'v1.0']],
    ['nothing', []],
  ])('with %j typed are %j', (typed, shown) => {
    expect(matchingChoices(choices, typed).map(({ value }) => value)).toEqual(shown);
  });

  it('are at most 100', () => {
    const many = Array.from({ length: 5_000 }, (_, at) => ({ value: `b${at}`, note: 'branch' }));
    expect(matchingChoices(many, '')).toHaveLength(100);
  });
});
