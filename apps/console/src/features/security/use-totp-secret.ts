import type { TotpSecret } from '@longshore/contract';
import { useEffect, useState } from 'react';
import { useAccount } from '../../backend/live-context.tsx';

/** A secret for an authenticator app, made anew each time it is asked for. */
export function useTotpSecret() {
  const { generateTotp } = useAccount();
  const [secret, setSecret] = useState<TotpSecret>();
  const [problem, setProblem] = useState<string>();

  useEffect(() => {
    let isLeft = false;
    void generateTotp().then((answer) => {
      if (isLeft) return;
      if (answer.ok) setSecret(answer.value);
      else setProblem(answer.message);
    });
    return () => {
      isLeft = true;
    };
  }, [generateTotp]);

  return { secret, problem };
}
