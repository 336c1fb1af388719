import { AUTH_ERRORS, type AuthErrorCode } from '@longshore/contract';
import { Problem } from '../http/problem.ts';

/** An error response of the auth service, from its closed list of codes. */
export class AuthProblem extends Problem {
  constructor(code: AuthErrorCode, options?: ErrorOptions) {
    const { status, message } = AUTH_ERRORS[code];
    super(status, code, message, options);
    this.name = 'AuthProblem';
  }
}
