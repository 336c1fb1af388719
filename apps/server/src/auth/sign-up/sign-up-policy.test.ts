import { expect, it } from 'vitest';
import { setupCodeProblem } from './sign-up-policy.ts';

it.each([
  [false, 'none', 'setup-code-required'],
  [false, 'wrong', 'invalid-setup-code'],
  [false, 'right', undefined],
  [true, 'none', undefined],
  [true, 'wrong', 'setup-code-used'],
  [true, 'right', 'setup-code-used'],
] as const)('has accounts: %s, code: %s, problem: %s', (hasAccounts, code, problem) => {
  expect(setupCodeProblem({ hasAccounts, code })).toBe(problem);
});
