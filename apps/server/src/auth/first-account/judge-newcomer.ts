import type { AuthErrorCode } from '@longshore/contract';

/** Somebody who is about to get an account, where the first one takes a code. */
export type Newcomer = { hasAccounts: boolean; code: 'none' | 'wrong' | 'right' };

/**
 * Why they may not, if so. Once there is an account no code is asked for; whoever brings one wanted to be the first and
 * must learn that somebody was, and nothing about the code.
 */
export function setupCodeProblem({ hasAccounts, code }: Newcomer): AuthErrorCode | undefined {
  if (hasAccounts) return code === 'none' ? undefined : 'setup-code-used';
  if (code === 'none') return 'setup-code-required';
  return code === 'right' ? undefined : 'invalid-setup-code';
}
