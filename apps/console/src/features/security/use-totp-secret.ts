import type { TotpSecret } from '@longshore/contract';
import { useEffect, useState } from 'react';
import { errorText } from '../../client/error-text.ts';
import { useServices } from '../../client/session-context.tsx';

import { MESSAGES } from './messages.ts';

/** A secret for an authenticator app, made anew each time it is asked for. */
export function useTotpSecret() {
  const { account } = useServices();
  const [secret, setSecret] = useState<TotpSecret>();
  const [problem, setProblem] = useState<string>();

  useEffect(() => {
    let isLeft = false;
    void account.generateTotp().then((result) => {
      if (isLeft) return;
      if (result.ok) setSecret(result.data);
      else setProblem(errorText(result.error) || MESSAGES.noReason);
    });
    return () => {
      isLeft = true;
    };
  }, [account]);

  return { secret, problem };
}
