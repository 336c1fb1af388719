import type { MutationResult } from '@longshore/client';
import {
  type AppResource,
  type IntegrationResource,
  type Release,
  ROUTES,
} from '@longshore/contract';
import { useReducer, useState } from 'react';
import { useMutations } from '../../client/session-context.tsx';
import { useNavigateIfStillHere } from '../../lib/use-navigate-if-still-here.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { CANCEL } from '../../ui/texts.ts';
import { EditSummaryNote } from './edit-summary-note.tsx';
import { MESSAGES } from './messages.ts';
import { draftOf } from './model/draft-of-app.ts';
import { reduceWizard, type WizardState } from './model/wizard.ts';
import { useDraftSubmit } from './use-draft-submit.ts';
import { useEditSummary } from './use-edit-summary.ts';
import { WizardSteps } from './wizard-steps.tsx';

type EditDialogProps = {
  app: AppResource;
  integrations: IntegrationResource[];
  /** Its releases, newest first. */
  history: Release[];
  /** From the wish to its refusal, or to the next page. */
  onSaving(isSaving: boolean): void;
  onClose(): void;
};

/** The wizard in update mode: filled from the app, at step 2. After an update it goes to the project. */
export function EditDialog(props: EditDialogProps) {
  const { app, integrations, history, onSaving, onClose } = props;
  const navigateIfStillHere = useNavigateIfStillHere();
  const { updateApp } = useMutations();
  const { projectId } = app.values;
  // The page behind goes on showing the newest state; the fields do not.
  const [seen] = useState(app);
  const [state, dispatch] = useReducer(reduceWizard, app, openedWith);
  const submission = useDraftSubmit({
    draft: state.draft,
    context: { projectId, existing: seen.values },
    async send(values) {
      onSaving(true);
      const outcome = withConflictText(await updateApp(seen.id, values, seen.generation));
      if (!outcome.ok) onSaving(false);
      return outcome;
    },
    failureToast: MESSAGES.updateFailed,
    onSent: () => navigateIfStillHere(ROUTES.project(projectId)),
  });
  const summary = useEditSummary(seen, state.draft, history);
  return (
    <Dialog
      isOpen
      isWide
      onOpenChange={onClose}
      title={MESSAGES.editApp}
      description={
        state.step === 2 ? MESSAGES.edit.of(seen.values.name) : MESSAGES.stepOf(state.step)
      }
    >
      <WizardSteps
        state={state}
        submission={submission}
        integrations={integrations}
        action={MESSAGES.save}
        note={<EditSummaryNote {...summary} />}
        leading={<Button onClick={onClose}>{CANCEL}</Button>}
        onEvent={dispatch}
      />
    </Dialog>
  );
}

function withConflictText(result: MutationResult): MutationResult {
  if (result.ok || result.error.error !== 'conflict') return result;
  return { ok: false, error: { ...result.error, message: MESSAGES.changedMeanwhile } };
}

function openedWith(app: AppResource): WizardState {
  return { step: 2, draft: draftOf(app.values) };
}
