import type { MutationResult } from '@longshore/client';
import type { AppValues } from '@longshore/contract';
import { useState } from 'react';
import { useConfig } from '../../client/console-environment.tsx';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { MESSAGES } from './messages.ts';
import { appValuesOf, type DraftContext } from './model/app-values-of-draft.ts';
import type { DeployDraft } from './model/deploy-draft.ts';
import { type DraftProblems, draftProblems, hasProblems } from './model/draft-problems.ts';

export type DraftSubmission = ReturnType<typeof useDraftSubmit>;

type DraftSubmit = {
  draft: DeployDraft;
  context: Omit<DraftContext, 'baseDomain'>;
  send(values: AppValues): Promise<MutationResult>;
  onSent(id: string): void;
  failureToast: { title: string; text?: string };
};

/**
 * Problems are shown from the first try on, and then follow the typing. What was sent stays busy until the
 * next page takes over: a second press must not send it again.
 */
export function useDraftSubmit({ draft, context, send, onSent, failureToast }: DraftSubmit) {
  const { ingress, allowLocalSources } = useConfig();
  const toast = useToast();
  const [hasTried, setTried] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const found = draftProblems(draft, { allowLocalSources });
  const problems: DraftProblems = hasTried ? found : {};

  async function submit(): Promise<void> {
    setTried(true);
    if (hasProblems(found)) {
      toast({ tone: 'bad', ...MESSAGES.invalidForm });
      return;
    }
    setBusy(true);
    setFailure(undefined);
    const outcome = await send(appValuesOf(draft, { ...context, baseDomain: ingress.baseDomain }));
    if (outcome.ok) {
      onSent(outcome.id);
      return;
    }
    setBusy(false);
    setFailure(outcome.error.message);
    toast({ tone: 'bad', text: outcome.error.message, ...failureToast });
  }

  return { problems, isBusy, failure, submit };
}
