import { type FormEvent, useState } from 'react';
import type { RequestOutcome } from '../../lib/backend.ts';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { MESSAGES } from './messages.ts';

type Words = { title: string; text(email: string): string; failed: string };

/** A form that has a mail sent to an address, and says what came of it. Spec §5 and §8. */
export function useMailRequest(send: (email: string) => Promise<RequestOutcome>, words: Words) {
  const toast = useToast();
  const [email, setEmail] = useState('');
  const [isBusy, setBusy] = useState(false);

  async function request(): Promise<void> {
    const address = email.trim();
    if (address === '') return toast({ tone: 'bad', ...MESSAGES.emailMissing });
    setBusy(true);
    const outcome = await send(address);
    setBusy(false);
    if (outcome.ok) toast({ title: words.title, text: words.text(address) });
    else toast({ tone: 'bad', title: MESSAGES.error, text: outcome.message || words.failed });
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!isBusy) void request();
  }

  return { email, setEmail, isBusy, submit };
}
