import { useServices } from '../../client/session-context.tsx';
import { useProvedRequest } from '../../proof/proof-gate.tsx';
import { useFailureToast } from './use-account-action.ts';

/** `run` takes a code of the authenticator app. It shows a toast for failure and then returns undefined. */
export function useRecoveryCodeGeneration() {
  const { send, isBusy } = useProvedRequest(useServices().account.generateRecoveryCodes);
  const showFailure = useFailureToast();
  async function run(code: string): Promise<string[] | undefined> {
    const result = await send(code);
    if (result.ok) return result.data;
    showFailure(result.error);
    return undefined;
  }
  return { isBusy, run };
}
