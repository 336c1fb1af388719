import { ROUTES } from '@longshore/contract';
import { MESSAGES } from './messages.ts';
import { TextLink } from './text-link.tsx';

/** Shown on the login page while the installation has no account. */
export function FirstStart() {
  return (
    <>
      {MESSAGES.firstStart.text}{' '}
      <TextLink to={ROUTES.signup}>{MESSAGES.firstStart.action}</TextLink>
    </>
  );
}
