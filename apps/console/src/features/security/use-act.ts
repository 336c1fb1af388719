import type { AccountAnswer } from '../../backend/account-port.ts';
import { useRequest } from '../../backend/use-request.ts';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { MESSAGES } from './messages.ts';

export type Act<Input> = { isBusy: boolean; run(input: Input): Promise<boolean> };

/** Something done with the account. Answers whether it worked, and has said so either way. */
export function useAct<Input>(
  ask: (input: Input) => Promise<AccountAnswer<undefined>>,
  doneTitle: string,
): Act<Input> {
  const { send, isBusy } = useRequest(ask);
  const toast = useToast();
  async function run(input: Input): Promise<boolean> {
    const answer = await send(input);
    if (answer.ok) toast({ title: doneTitle });
    else toast({ tone: 'bad', title: MESSAGES.failed, text: answer.message });
    return answer.ok;
  }
  return { isBusy, run };
}
