import type { RequestError, RequestResult } from '@longshore/client';
import { errorText } from '../../client/error-text.ts';
import { useProvedRequest } from '../../proof/proof-gate.tsx';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { MESSAGES } from './messages.ts';

export type AccountAction<Input> = { isBusy: boolean; run(input: Input): Promise<boolean> };

/** A change of the account. `run` shows a toast for success and failure, and returns whether it succeeded. */
export function useAccountAction<Input>(
  request: (input: Input) => Promise<RequestResult<unknown>>,
  successTitle: string,
): AccountAction<Input> {
  const { send, isBusy } = useProvedRequest(request);
  const toast = useToast();
  const showFailure = useFailureToast();
  async function run(input: Input): Promise<boolean> {
    const result = await send(input);
    if (result.ok) toast({ title: successTitle });
    else showFailure(result.error);
    return result.ok;
  }
  return { isBusy, run };
}

export function useFailureToast(): (error: RequestError) => void {
  const toast = useToast();
  return (error) => {
    const title = error.error === 'invalid-totp' ? MESSAGES.invalidCode : MESSAGES.failed;
    toast({ tone: 'bad', title, text: errorText(error) || MESSAGES.noReason });
  };
}
