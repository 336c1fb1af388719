import type { MutationResult } from '@longshore/client';
import type { AppValues } from '@longshore/contract';
import { useState } from 'react';
import { useConfig } from '../../client/console-environment.tsx';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { MESSAGES } from './messages.ts';
import type { DeployDraft } from './model/deploy-draft.ts';
import { appValuesFromDraft, type DraftContext } from './model/draft-conversion.ts';
import {
  type DraftProblems,
  draftProblems,
  envNotes,
  hasProblems,
  type Refusal,
  refusalOf,
  refusalProblems,
} from './model/draft-problems.ts';
import { useOfferedApps } from './use-offered-apps.ts';

export type DraftSubmission = ReturnType<typeof useDraftSubmit>;

type DraftSubmitOptions = {
  draft: DeployDraft;
  context: Omit<DraftContext, 'baseDomain'>;
  /** In update mode. */
  appId?: string;
  send(values: AppValues): Promise<MutationResult>;
  onSent(id: string): void;
  failureToast: { title: string; text?: string };
};

/**
 * Problems are shown after the first submit and then updated on every change; those that the server finds, at their field. A successful submit stays busy until the
 * next page opens, so that a second click does not send it again.
 */
export function useDraftSubmit(options: DraftSubmitOptions) {
  const { draft, context, appId, send, onSent, failureToast } = options;
  const { ingress, allowLocalSources } = useConfig();
  const storedEnv = context.existing?.env;
  const apps = useOfferedApps(context.projectId, appId);
  const toast = useToast();
  const [hasSubmitted, setSubmitted] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const allProblems = draftProblems(draft, { allowLocalSources }, { storedEnv });
  const [refusal, setRefusal] = useState<Refusal>();
  const problems: DraftProblems = {
    ...refusalProblems(refusal, draft),
    ...(hasSubmitted ? allProblems : {}),
  };

  async function submit(): Promise<void> {
    setSubmitted(true);
    if (hasProblems(allProblems)) {
      toast({ tone: 'bad', ...MESSAGES.invalidForm });
      return;
    }
    setBusy(true);
    setFailure(undefined);
    setRefusal(undefined);
    const result = await send(
      appValuesFromDraft(draft, { ...context, baseDomain: ingress.baseDomain }),
    );
    if (result.ok) {
      onSent(result.id);
      return;
    }
    setBusy(false);
    const refused = refusalOf(result.error.message, draft);
    setRefusal(refused);
    if (refused !== undefined) {
      toast({ tone: 'bad', ...MESSAGES.invalidForm });
      return;
    }
    setFailure(result.error.message);
    toast({ tone: 'bad', text: result.error.message, ...failureToast });
  }

  const notes = envNotes(draft, { storedEnv, apps });
  return { problems, envNotes: notes, apps, isBusy, failure, submit };
}
