import { type FormEvent, useState } from 'react';
import { useChangePassword } from '../../client/use-auth.ts';
import { useProvedRequest } from '../../proof/proof-gate.tsx';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { MESSAGES } from './messages.ts';

/** The new password with its confirmation; sent when both match (spec-map 5.2.2, 8.2.8). */
export function useChangePasswordForm(onDone: () => void) {
  const { send, isBusy } = useProvedRequest(useChangePassword().send);
  const toast = useToast();
  const [password, setPassword] = useState('');
  const [confirmation, setConfirmation] = useState('');
  const [problem, setProblem] = useState<string>();

  async function change(): Promise<void> {
    setProblem(undefined);
    if (password !== confirmation) return toast({ tone: 'bad', ...MESSAGES.passwordMismatch });
    const result = await send(password);
    if (!result.ok) return setProblem(result.error.message || MESSAGES.changeFailed);
    toast(MESSAGES.passwordChanged);
    onDone();
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!isBusy) void change();
  }

  return { password, setPassword, confirmation, setConfirmation, problem, isBusy, submit };
}
