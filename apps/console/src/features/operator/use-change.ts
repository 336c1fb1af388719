import type { RequestResult } from '@longshore/client';
import { errorText } from '../../client/error-text.ts';
import { useProvedRequest } from '../../proof/proof-gate.tsx';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { MESSAGES } from './messages.ts';

/** A change by the operator, which needs a recent proof of identity. `run` shows a toast for a failure, and returns the response if it succeeded. */
export function useChange<Input, Data>(
  request: (input: Input) => Promise<RequestResult<Data>>,
  successTitle?: string,
) {
  const { send, isBusy } = useProvedRequest(request);
  const toast = useToast();
  async function run(input: Input): Promise<{ data: Data } | undefined> {
    const result = await send(input);
    if (!result.ok) {
      const text = errorText(result.error) || MESSAGES.noReason;
      toast({ tone: 'bad', title: MESSAGES.failed, text });
      return undefined;
    }
    if (successTitle !== undefined) toast({ title: successTitle });
    return { data: result.data };
  }
  return { isBusy, run };
}
