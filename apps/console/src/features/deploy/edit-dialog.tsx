import {
  type AppResource,
  type IntegrationResource,
  type Release,
  ROUTES,
} from '@longshore/contract';
import { useReducer, useState } from 'react';
import { useNavigate } from 'react-router';
import type { MutationOutcome } from '../../backend/backend.ts';
import { useMutations } from '../../backend/live-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { WORDS } from '../../ui/words.ts';
import { ConfigureStep } from './configure-step.tsx';
import { EditSummaryNote } from './edit-summary-note.tsx';
import { MESSAGES } from './messages.ts';
import { draftOf } from './model/draft-of-app.ts';
import { reduceWizard, type WizardState } from './model/wizard.ts';
import { useDraftSubmit } from './use-draft-submit.ts';
import { useEditSummary } from './use-edit-summary.ts';

type EditDialogProps = {
  app: AppResource;
  integrations: IntegrationResource[];
  /** Its releases, newest first. */
  history: Release[];
  onClose(): void;
};

/** The wizard in update mode: filled from the app, at step 2. After an update it goes to the project. */
export function EditDialog({ app, integrations, history, onClose }: EditDialogProps) {
  const navigate = useNavigate();
  const { updateApp } = useMutations();
  const { projectId } = app.values;
  // The page behind goes on showing the newest state; the fields do not.
  const [seen] = useState(app);
  const [state, dispatch] = useReducer(reduceWizard, app, openedWith);
  const { problems, isBusy, failure, submit } = useDraftSubmit({
    draft: state.draft,
    context: { projectId, existing: seen.values },
    send: async (values) => inWords(await updateApp(seen, values)),
    failureToast: MESSAGES.updateFailed,
    onSent: () => void navigate(ROUTES.project(projectId)),
  });
  const summary = useEditSummary(seen, state.draft, history);
  return (
    <Dialog
      isOpen
      isWide
      onOpenChange={onClose}
      title={MESSAGES.editApp}
      description={MESSAGES.edit.of(seen.values.name)}
    >
      <ConfigureStep
        draft={state.draft}
        problems={problems}
        integrations={integrations}
        failure={failure}
        action={MESSAGES.save}
        isBusy={isBusy}
        note={<EditSummaryNote {...summary} />}
        leading={<Button onClick={onClose}>{WORDS.cancel}</Button>}
        onEvent={dispatch}
        onSubmit={() => void submit()}
      />
    </Dialog>
  );
}

function inWords(outcome: MutationOutcome): MutationOutcome {
  if (outcome.ok || !outcome.isConflict) return outcome;
  return { ok: false, message: MESSAGES.changedMeanwhile };
}

function openedWith(app: AppResource): WizardState {
  return { step: 2, draft: draftOf(app.values) };
}
