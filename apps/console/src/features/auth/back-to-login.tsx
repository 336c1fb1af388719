import { ROUTES } from '@longshore/contract';
import { usePlace } from '../../lib/place-context.tsx';
import { Button } from '../../ui/button.tsx';
import { MESSAGES } from './messages.ts';

export function BackToLogin() {
  const place = usePlace();
  return (
    <Button kind="ghost" onClick={() => place.go(ROUTES.login)}>
      {MESSAGES.backToLogin}
    </Button>
  );
}
