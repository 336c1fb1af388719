import { type FormEvent, useState } from 'react';
import type { RequestOutcome } from '../../backend/backend.ts';
import type { Request } from '../../backend/use-request.ts';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { MESSAGES } from './messages.ts';

type Words = { title: string; text(email: string): string; failed: string };

/** A form that has a mail sent to an address, and says what came of it. Spec §5 and §8. */
export function useMailRequest({ send, isBusy }: Request<string, RequestOutcome>, words: Words) {
  const toast = useToast();
  const [email, setEmail] = useState('');

  async function request(): Promise<void> {
    const address = email.trim();
    if (address === '') return toast({ tone: 'bad', ...MESSAGES.emailMissing });
    const outcome = await send(address);
    if (outcome.ok) toast({ title: words.title, text: words.text(address) });
    else toast({ tone: 'bad', title: MESSAGES.error, text: outcome.message || words.failed });
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!isBusy) void request();
  }

  return { email, setEmail, isBusy, submit };
}
