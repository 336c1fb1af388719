import { useState } from 'react';
import { useEnvironment } from '../../client/console-environment.tsx';
import { errorText } from '../../client/error-text.ts';
import { useServices } from '../../client/session-context.tsx';
import { useRequest } from '../../client/use-request.ts';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { MESSAGES } from './messages.ts';
import { expiryAfter, type Lifetime } from './model/token-lifetime.ts';

/** Name and lifetime of a token; `token` is the created one. */
export function useTokenForm(onCreated: () => void) {
  const { now } = useEnvironment();
  const { send, isBusy } = useRequest(useServices().account.createPersonalAccessToken);
  const toast = useToast();
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
    if (!result.ok) {
      const text = errorText(result.error) || MESSAGES.noReason;
      return toast({ tone: 'bad', title: MESSAGES.failed, text });
    }
    setToken(result.data.personalAccessToken);
    onCreated();
  }

  return { name, setName, lifetime, setLifetime, problem, token, isBusy, create };
}
