import type { FlowResult } from '@longshore/client';
import { type FormEvent, useState } from 'react';
import type { Request } from '../../client/use-request.ts';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { MESSAGES } from './messages.ts';

type Texts = { title: string; text(email: string): string; failed: string };

/** A form that requests an email and shows the result in a toast (spec-map 5.2.5, 8.2.9–10). */
export function useMailRequest({ send, isBusy }: Request<string, FlowResult>, texts: Texts) {
  const toast = useToast();
  const [email, setEmail] = useState('');

  async function request(): Promise<void> {
    const address = email.trim();
    if (address === '') return toast({ tone: 'bad', ...MESSAGES.emailMissing });
    const result = await send(address);
    if (result.ok) toast({ title: texts.title, text: texts.text(address) });
    else toast({ tone: 'bad', title: MESSAGES.error, text: result.error.message || texts.failed });
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!isBusy) void request();
  }

  return { email, setEmail, isBusy, submit };
}
