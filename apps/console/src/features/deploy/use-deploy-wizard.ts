import { ROUTES } from '@longshore/contract';
import { useEffect, useReducer } from 'react';
import { useMutations } from '../../client/session-context.tsx';
import { useNavigateIfStillHere } from '../../lib/use-navigate-if-still-here.ts';
import { forgetDraft, recallDraft, rememberDraft } from './draft-storage.ts';
import { MESSAGES } from './messages.ts';
import { firstState, reduceWizard } from './model/wizard.ts';
import { useDraftSubmit } from './use-draft-submit.ts';

/** The wizard for a new app, whose draft is kept. After creating it goes to the app's page. */
export function useDeployWizard(projectId: string) {
  const navigateIfStillHere = useNavigateIfStillHere();
  const { createApp } = useMutations();
  const [state, dispatch] = useReducer(
    reduceWizard,
    projectId,
    (id) => recallDraft(localStorage, id) ?? firstState(),
  );
  useEffect(() => rememberDraft(localStorage, projectId, state), [projectId, state]);
  const submission = useDraftSubmit({
    draft: state.draft,
    context: { projectId },
    send: createApp,
    failureToast: { title: MESSAGES.deployFailed },
    onSent(id) {
      forgetDraft(localStorage);
      navigateIfStillHere(ROUTES.app(projectId, id));
    },
  });
  return { state, submission, dispatch };
}
