import { useState } from 'react';
import { useEnvironment } from '../../client/console-environment.tsx';
import { useServices } from '../../client/session-context.tsx';
import { useProvedRequest } from '../../proof/proof-gate.tsx';
import { MESSAGES } from './messages.ts';
import { expiryAfter, type Lifetime } from './model/token-lifetime.ts';
import { useFailureToast } from './use-account-action.ts';

/** Name and lifetime of a token; `token` is the created one. */
export function useTokenForm(onCreated: () => void) {
  const { now } = useEnvironment();
  const { send, isBusy } = useProvedRequest(useServices().account.createPersonalAccessToken);
  const showFailure = useFailureToast();
  const [name, setName] = useState('');
  const [lifetime, setLifetime] = useState<Lifetime>('30');
  const [problem, setProblem] = useState<string>();
  const [token, setToken] = useState<string>();

  async function create(): Promise<void> {
    const trimmedName = name.trim();
    setProblem(trimmedName === '' ? MESSAGES.tokens.nameMissing : undefined);
    if (trimmedName === '') return;
    const result = await send({
      expiresAt: expiryAfter(lifetime, now()),
      metadata: { name: trimmedName },
    });
    if (!result.ok) return showFailure(result.error);
    setToken(result.data.personalAccessToken);
    onCreated();
  }

  return { name, setName, lifetime, setLifetime, problem, token, isBusy, create };
}
