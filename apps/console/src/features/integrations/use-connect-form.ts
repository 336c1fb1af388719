import type { ConnectResult } from '@longshore/client';
import type { ConnectedAccount } from '@longshore/contract';
import { useState } from 'react';
import { errorText } from '../../client/error-text.ts';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { MESSAGES } from './messages.ts';

type Problems = Record<string, string | undefined>;

type ConnectFormState = {
  /** Empty if the form is valid. */
  problems: Problems;
  /** The provider's name, for the toast. */
  name: string;
  connect(): Promise<ConnectResult<ConnectedAccount>>;
  onDone(): void;
};

/** Problems are shown after the first submit. A failed request keeps all fields. */
export function useConnectForm({ problems, name, connect, onDone }: ConnectFormState) {
  const toast = useToast();
  const [hasSubmitted, setSubmitted] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();

  async function submit(): Promise<void> {
    setSubmitted(true);
    setFailure(undefined);
    if (Object.keys(problems).length > 0) return;
    setBusy(true);
    const result = await connect();
    setBusy(false);
    if (!result.ok) return setFailure(errorText(result.error) || MESSAGES.authenticationFailed);
    toast({ title: MESSAGES.connected(name), text: result.data.account_name });
    onDone();
  }

  return { problems: hasSubmitted ? problems : {}, isBusy, failure, submit };
}
