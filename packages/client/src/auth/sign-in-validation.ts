import { type AuthError, clientError, isEmail } from '@longshore/contract';
import type { SignInMethod } from './sign-in-attempt.ts';

const MFA_TICKET = /^mfaTotp:[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/** Client-side validation (spec-map 5.1). */
export function methodError(method: SignInMethod): AuthError | undefined {
  switch (method.kind) {
    case 'security-key':
      if (method.securityKey !== true) return invalidMethodError('securityKey must be true');
      return method.email === undefined ? undefined : emailError(method.email);
    case 'sign-up-security-key':
    case 'passwordless-email':
    case 'email-otp':
    case 'verify-email-otp':
      return emailError(method.email);
    case 'passwordless-sms':
    case 'verify-sms-otp':
      return phoneNumberError(method.phoneNumber);
    case 'mfa-totp':
      return ticketError(method.ticket);
    case 'anonymous':
    case 'personal-access-token':
    case 'id-token':
      return undefined;
    default:
      return clientError('invalid-sign-in-method');
  }
}

export function invalidMethodError(message: string): AuthError {
  return { ...clientError('invalid-sign-in-method'), message };
}

function emailError(email: unknown): AuthError | undefined {
  return isEmail(email) ? undefined : clientError('invalid-email');
}

function phoneNumberError(phoneNumber: unknown): AuthError | undefined {
  const isValid = typeof phoneNumber === 'string' && phoneNumber.length > 0;
  return isValid ? undefined : clientError('invalid-phone-number');
}

function ticketError(ticket: string | undefined): AuthError | undefined {
  if (!ticket) return clientError('no-mfa-ticket');
  return MFA_TICKET.test(ticket) ? undefined : clientError('invalid-mfa-ticket');
}
