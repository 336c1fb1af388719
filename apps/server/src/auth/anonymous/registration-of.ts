import { AuthProblem } from '../auth-problem.ts';
import type { AuthDeps } from '../deps.ts';
import { parsePhoneNumber } from '../otp/phone-number.ts';
import { signUpFields } from '../sign-up-options.ts';
import type { Deanonymization } from './deanonymize-body.ts';
import type { Registration } from './register-anonymous.ts';

/** What an anonymous user becomes. */
export async function registrationOf(
  body: Deanonymization,
  { passwords, settings }: Pick<AuthDeps, 'passwords' | 'settings'>,
): Promise<Registration> {
  if (body.by === 'text') {
    const phoneNumber = parsePhoneNumber(body.phoneNumber);
    if (phoneNumber === undefined) throw new AuthProblem('cannot-send-sms');
    const fields = signUpFields(body.options, phoneNumber);
    return { ...fields, email: null, phoneNumber, passwordHash: null };
  }
  const { email, options } = body;
  const fields = signUpFields(options, email);
  if (body.by === 'link') return { ...fields, email, phoneNumber: null, passwordHash: null };
  if (body.password.reveal().length < settings.passwordMinLength)
    throw new AuthProblem('password-too-short');
  const passwordHash = await passwords.hash(body.password);
  return { ...fields, email, phoneNumber: null, passwordHash };
}
