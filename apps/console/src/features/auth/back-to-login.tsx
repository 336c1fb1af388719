import { ROUTES } from '@longshore/contract';
import { buttonStyle } from '../../ui/button-style.ts';
import { PlaceLink } from '../../ui/place-link.tsx';
import { MESSAGES } from './messages.ts';

export function BackToLogin() {
  return (
    <PlaceLink to={ROUTES.login} className={buttonStyle('ghost', 'normal')}>
      {MESSAGES.backToLogin}
    </PlaceLink>
  );
}
