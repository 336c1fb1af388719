import type { MutationResult } from '@longshore/client';
import {
  type AppResource,
  type IntegrationResource,
  type Release,
  ROUTES,
} from '@longshore/contract';
import { useReducer, useState } from 'react';
import { useConfig } from '../../client/console-environment.tsx';
import { useMutations } from '../../client/session-context.tsx';
import { useNavigateIfStillHere } from '../../lib/use-navigate-if-still-here.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { CANCEL } from '../../ui/texts.ts';
import { UnsavedEdits } from '../../ui/unsaved-edits.tsx';
import { MESSAGES } from './messages.ts';
import type { DeployDraft } from './model/deploy-draft.ts';
import { appValuesFromDraft, draftFromApp } from './model/draft-conversion.ts';
import { editableFields } from './model/draft-edits.ts';
import { draftProblems, hasProblems } from './model/draft-problems.ts';
import { type EditSummary, editSummary } from './model/edit-summary.ts';
import { lastDetected } from './model/placeholders.ts';
import { reduceWizard, type WizardState } from './model/wizard.ts';
import { useDraftSubmit } from './use-draft-submit.ts';
import { WizardSteps } from './wizard-steps.tsx';

type EditDialogProps = {
  app: AppResource;
  integrations: IntegrationResource[];
  /** Its releases, newest first. */
  history: Release[];
  /** Hosts with a certificate. */
  secureHosts: readonly string[];
  /** True from submit until it fails or the next page opens. */
  onSaving(isSaving: boolean): void;
  onClose(): void;
};

const INVALID = { changes: '', effect: MESSAGES.edit.invalid };

/** The wizard in update mode: filled from the app, starting at step 2. After an update it goes to the project page. */
export function EditDialog(props: EditDialogProps) {
  const { app, integrations, onSaving, onClose } = props;
  const navigateIfStillHere = useNavigateIfStillHere();
  const { updateApp } = useMutations();
  const { projectId } = app.values;
  // The form keeps the values it was opened with; the page behind it continues to update.
  const [opened] = useState(app);
  const [state, dispatch] = useReducer(reduceWizard, app, initialEditState);
  const submission = useDraftSubmit({
    draft: state.draft,
    context: { projectId, existing: opened.values },
    appId: opened.id,
    async send(values) {
      onSaving(true);
      const result = withConflictText(await updateApp(opened.id, values, opened.updatedAt));
      if (!result.ok) onSaving(false);
      return result;
    },
    failureToast: MESSAGES.updateFailed,
    onSent: () => navigateIfStillHere(ROUTES.project(projectId)),
  });
  const summary = useEditSummary(opened, state.draft, props);
  // The server may have refused a field that the form cannot check.
  const note = hasProblems(submission.problems) ? INVALID : summary;
  return (
    <Dialog
      isOpen
      isWide
      onOpenChange={onClose}
      title={MESSAGES.editApp}
      description={
        state.step === 2 ? MESSAGES.edit.title(opened.values.name) : MESSAGES.stepOf(state.step)
      }
    >
      <UnsavedEdits
        before={editableFields(draftFromApp(opened.values))}
        after={editableFields(state.draft)}
      />
      <WizardSteps
        state={state}
        submission={submission}
        integrations={integrations}
        detected={lastDetected(props.history)}
        stored={opened.values}
        action={MESSAGES.save}
        note={<EditSummaryNote {...note} />}
        leading={<Button onClick={onClose}>{CANCEL}</Button>}
        onEvent={dispatch}
      />
    </Dialog>
  );
}

function withConflictText(result: MutationResult): MutationResult {
  if (result.ok || result.error.error !== 'conflict') return result;
  return { ok: false, error: { ...result.error, message: MESSAGES.conflict } };
}

function initialEditState(app: AppResource): WizardState {
  return { step: 2, draft: draftFromApp(app.values) };
}

/** The minimum height avoids layout shift while typing. On low screens only the effect is shown; only it is announced. */
type EditNote = Pick<EditSummary, 'changes' | 'effect'>;

function EditSummaryNote({ changes, effect }: EditNote) {
  return (
    <div className="grid min-h-29 shrink-0 content-center gap-0.5 border-t border-line px-5 py-2 text-xs leading-4.5 sm:min-h-18 [@media(max-height:32rem)]:min-h-0">
      {changes !== '' && (
        <p className="wrap-anywhere text-muted [@media(max-height:32rem)]:hidden">{changes}</p>
      )}
      <p role="status" className="text-text">
        {effect}
      </p>
    </div>
  );
}

function useEditSummary(
  app: AppResource,
  draft: DeployDraft,
  { history, secureHosts }: Pick<EditDialogProps, 'history' | 'secureHosts'>,
): EditNote {
  const config = useConfig();
  if (hasProblems(draftProblems(draft, config, { storedEnv: app.values.env }))) {
    return INVALID;
  }
  const { baseDomain } = config.ingress;
  const context = { projectId: app.values.projectId, existing: app.values, baseDomain };
  const after = appValuesFromDraft(draft, context);
  return editSummary({ app, after, history, config, secureHosts });
}
