import { ROUTES } from '@longshore/contract';
import { MESSAGES } from './messages.ts';
import { TextLink } from './text-link.tsx';

/** Who comes to sign in before anybody could sign up is shown the way. */
export function FirstStart() {
  return (
    <>
      {MESSAGES.firstStart.text}{' '}
      <TextLink to={ROUTES.signup}>{MESSAGES.firstStart.action}</TextLink>
    </>
  );
}
