import { useState } from 'react';
import { useBackend } from '../../backend/backend-context.tsx';
import { useAccount } from '../../backend/live-context.tsx';
import { useRequest } from '../../backend/use-request.ts';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { MESSAGES } from './messages.ts';
import { expiryAfter, type Lifetime } from './model/token-lifetime.ts';

/** What a token is for and how long it lasts; then `token` is the one that was made. */
export function useTokenForm(onCreated: () => void) {
  const { now } = useBackend();
  const { send, isBusy } = useRequest(useAccount().createToken);
  const toast = useToast();
  const [name, setName] = useState('');
  const [lifetime, setLifetime] = useState<Lifetime>('30');
  const [problem, setProblem] = useState<string>();
  const [token, setToken] = useState<string>();

  async function create(): Promise<void> {
    const wished = name.trim();
    setProblem(wished === '' ? MESSAGES.tokens.nameMissing : undefined);
    if (wished === '') return;
    const answer = await send({ name: wished, expiresAt: expiryAfter(lifetime, now()) });
    if (!answer.ok) return toast({ tone: 'bad', title: MESSAGES.failed, text: answer.message });
    setToken(answer.value);
    onCreated();
  }

  return { name, setName, lifetime, setLifetime, problem, token, isBusy, create };
}
