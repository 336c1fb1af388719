import { type AuthError, clientError, isEmail } from '@longshore/contract';
import type { SignInMethod } from './sign-in-attempt.ts';

const MFA_TICKET = /^mfaTotp:[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/** What can be refused without asking the server. Spec §5, Authentication client. */
export function methodProblem(method: SignInMethod): AuthError | undefined {
  switch (method.kind) {
    case 'security-key':
      if (method.securityKey !== true) return invalidMethod('securityKey must be true');
      return method.email === undefined ? undefined : emailProblem(method.email);
    case 'sign-up-security-key':
    case 'passwordless-email':
    case 'email-otp':
    case 'verify-email-otp':
      return emailProblem(method.email);
    case 'passwordless-sms':
    case 'verify-sms-otp':
      return phoneNumberProblem(method.phoneNumber);
    case 'mfa-totp':
      return ticketProblem(method.ticket);
    case 'anonymous':
    case 'personal-access-token':
    case 'id-token':
      return undefined;
    default:
      return clientError('invalid-sign-in-method');
  }
}

export function invalidMethod(message: string): AuthError {
  return { ...clientError('invalid-sign-in-method'), message };
}

function emailProblem(email: unknown): AuthError | undefined {
  return isEmail(email) ? undefined : clientError('invalid-email');
}

function phoneNumberProblem(phoneNumber: unknown): AuthError | undefined {
  const isGiven = typeof phoneNumber === 'string' && phoneNumber.length > 0;
  return isGiven ? undefined : clientError('invalid-phone-number');
}

function ticketProblem(ticket: string | undefined): AuthError | undefined {
  if (!ticket) return clientError('no-mfa-ticket');
  return MFA_TICKET.test(ticket) ? undefined : clientError('invalid-mfa-ticket');
}
