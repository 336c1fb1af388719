import { AUTH_ERRORS, type AuthErrorCode } from '@longshore/contract';
import { Problem } from '../http/problem.ts';

/** A refusal from the closed list of the auth service. */
export class AuthProblem extends Problem {
  constructor(code: AuthErrorCode, options?: ErrorOptions) {
    const { status, message } = AUTH_ERRORS[code];
    super(status, code, message, options);
    this.name = 'AuthProblem';
  }
}
