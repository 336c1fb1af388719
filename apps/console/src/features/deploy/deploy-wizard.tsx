import { type IntegrationResource, ROUTES } from '@longshore/contract';
import { useEffect, useEffectEvent, useId, useMemo, useReducer } from 'react';
import { useEnvironment } from '../../client/console-environment.tsx';
import { useMutations, useUser } from '../../client/session-context.tsx';
import { useAccountUsage } from '../../client/use-account-usage.ts';
import { useIsolation } from '../../client/use-isolation.ts';
import { useNavigateIfStillHere } from '../../lib/use-navigate-if-still-here.ts';
import { Button } from '../../ui/button.tsx';
import { CARD_STYLE } from '../../ui/card.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { CircleAlert } from '../../ui/icons.tsx';
import { Notice } from '../../ui/notice.tsx';
import { DeployLimitNotice } from './deploy-limit-notice.tsx';
import {
  clearDraftOf,
  DRAFT_KEY,
  type DraftScope,
  isDraftOf,
  loadDraft,
  saveDraft,
} from './draft-storage.ts';
import { MESSAGES } from './messages.ts';
import { type DeployLimit, deployLimit } from './model/deploy-limit.ts';
import { initialState, reduceWizard, type StartWay, startState } from './model/wizard.ts';
import { useDraftSubmit } from './use-draft-submit.ts';
import { WizardSteps } from './wizard-steps.tsx';

/** Why the server would refuse a new app now. */
export type DeployChecks = { missing: string[] | undefined; limit: DeployLimit | undefined };

/** Loaded with the page, so that the dialog opens without a request and nothing in it shifts. */
export function useDeployChecks(): DeployChecks {
  const isolation = useIsolation();
  const { state } = useAccountUsage();
  return {
    missing: isolation?.mayDeploy === false ? isolation.missing : undefined,
    limit: deployLimit(useUser(), state.kind === 'ready' ? state.data : undefined),
  };
}

/** Whether an unfinished form of this project is stored. */
export function useHasDraft(projectId: string): boolean {
  const { id: userId } = useUser();
  return isDraftOf(localStorage.getItem(DRAFT_KEY), { userId, projectId });
}

type DeployInlineProps = {
  /** Chosen before the wizard opened. A stored draft is continued. */
  way: StartWay | undefined;
  projectId: string;
  integrations: IntegrationResource[];
  checks: DeployChecks;
};

type DeployDialogProps = Omit<DeployInlineProps, 'way'> & { onClose(): void };

/** The wizard for a new app in a dialog. */
export function DeployDialog({ projectId, integrations, checks, onClose }: DeployDialogProps) {
  const { state, submission, dispatch } = useDeployWizard(projectId);
  const dialog = { isOpen: true, isWide: true, onOpenChange: onClose, title: MESSAGES.deployApp };
  if (checks.missing !== undefined) {
    return (
      <Dialog {...dialog} description={MESSAGES.refused.title}>
        <DeployRefused missing={checks.missing} />
      </Dialog>
    );
  }
  return (
    <Dialog {...dialog} description={MESSAGES.stepOf(state.step)}>
      {submission.failure === undefined && <DeployLimitNotice limit={checks.limit} />}
      <WizardSteps
        state={state}
        submission={submission}
        integrations={integrations}
        action={MESSAGES.deploy}
        leading={<ResetButton onReset={() => dispatch({ type: 'reset' })} />}
        onEvent={dispatch}
      />
    </Dialog>
  );
}

/** The wizard for the first app of a project, on the project page. The dialog shares its draft. */
export function DeployInline({ way, projectId, integrations, checks }: DeployInlineProps) {
  const { state, submission, dispatch } = useDeployWizard(projectId, way);
  const titleId = useId();
  return (
    <section aria-labelledby={titleId} className={CARD_STYLE}>
      <header className="grid gap-0.5 border-b border-line px-5 py-4">
        <h2 id={titleId} className="text-base font-semibold">
          {MESSAGES.firstApp}
        </h2>
        <p className="text-muted">
          {checks.missing === undefined ? MESSAGES.stepOf(state.step) : MESSAGES.refused.title}
        </p>
      </header>
      {checks.missing !== undefined ? (
        <DeployRefused missing={checks.missing} />
      ) : (
        <>
          {submission.failure === undefined && <DeployLimitNotice limit={checks.limit} />}
          <WizardSteps
            isInline={way === undefined}
            state={state}
            submission={submission}
            integrations={integrations}
            action={MESSAGES.deploy}
            leading={<ResetButton onReset={() => dispatch({ type: 'reset' })} />}
            onEvent={dispatch}
          />
        </>
      )}
    </section>
  );
}

/** Instead of the wizard, so that nobody fills in a form that the server refuses. */
function DeployRefused({ missing }: { missing: string[] }) {
  return (
    <div className="p-5">
      <Notice tone="idle" icon={<CircleAlert size={17} aria-hidden="true" />}>
        <p className="text-text">{MESSAGES.refused.text}</p>
        <ul className="mt-2 list-disc pl-5">
          {missing.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </Notice>
    </div>
  );
}

function ResetButton({ onReset }: { onReset(): void }) {
  return (
    <Button kind="ghost" onClick={onReset}>
      {MESSAGES.reset}
    </Button>
  );
}

/** The draft is stored in the browser. After creating, the wizard goes to the page of the new app. */
function useDeployWizard(projectId: string, way?: StartWay) {
  const navigateIfStillHere = useNavigateIfStillHere();
  const { createApp } = useMutations();
  const { now } = useEnvironment();
  const { id: userId } = useUser();
  const scope = useMemo(() => ({ userId, projectId }), [userId, projectId]);
  const [state, dispatch] = useReducer(
    reduceWizard,
    scope,
    () => loadDraft(localStorage, scope, now()) ?? (way ? startState(way) : initialState()),
  );
  useEffect(() => saveDraft(localStorage, scope, { state, nowMs: now() }), [scope, state, now]);
  useDraftClearedInOtherTab(scope, () => dispatch({ type: 'reset' }));
  const submission = useDraftSubmit({
    draft: state.draft,
    context: { projectId },
    send: createApp,
    failureToast: { title: MESSAGES.deployFailed },
    onSent(id) {
      clearDraftOf(localStorage, scope);
      navigateIfStillHere(ROUTES.app(projectId, id));
    },
  });
  return { state, submission, dispatch };
}

/** Another tab has deployed or reset the draft that this wizard shows. The event is not sent to the tab that clears it. */
function useDraftClearedInOtherTab(scope: DraftScope, onCleared: () => void): void {
  const handleCleared = useEffectEvent(onCleared);
  useEffect(() => {
    function handle({ key, oldValue, newValue }: StorageEvent) {
      if (key === DRAFT_KEY && newValue === null && isDraftOf(oldValue, scope)) handleCleared();
    }
    window.addEventListener('storage', handle);
    return () => window.removeEventListener('storage', handle);
  }, [scope]);
}
