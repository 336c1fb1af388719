import { expect, it } from 'vitest';
import { setupCodeProblem } from './judge-newcomer.ts';

it.each([
  [false, 'none', 'setup-code-required'],
  [false, 'wrong', 'invalid-setup-code'],
  [false, 'right', undefined],
  [true, 'none', undefined],
  [true, 'wrong', 'setup-code-used'],
  [true, 'right', 'setup-code-used'],
] as const)('with accounts: %s, code: %s, is refused with %s', (hasAccounts, code, problem) => {
  expect(setupCodeProblem({ hasAccounts, code })).toBe(problem);
});
