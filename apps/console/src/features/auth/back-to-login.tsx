import { ROUTES } from '@longshore/contract';
import { usePageLocation } from '../../lib/page-location.tsx';
import { Button } from '../../ui/button.tsx';
import { MESSAGES } from './messages.ts';

export function BackToLogin() {
  const location = usePageLocation();
  return (
    <Button kind="ghost" onClick={() => location.navigate(ROUTES.login)}>
      {MESSAGES.backToLogin}
    </Button>
  );
}
