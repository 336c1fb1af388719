import type { AppResource, AppValues, Release } from '@longshore/contract';
import { type FormEvent, useRef, useState } from 'react';
import { useConfig } from '../../client/console-environment.tsx';
import { useMutations } from '../../client/session-context.tsx';
import { deepEqual } from '../../lib/deep-equal.ts';
import { focusFirstInvalid } from '../../ui/focus-first-invalid.ts';
import type { SaveBarState } from '../../ui/save-bar.tsx';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { MESSAGES } from './messages.ts';
import type { DeployDraft } from './model/deploy-draft.ts';
import { draftFromApp } from './model/draft-conversion.ts';
import {
  type DraftProblems,
  draftProblems,
  hasProblems,
  type Refusal,
  refusalOf,
  refusalProblems,
} from './model/draft-problems.ts';
import { editSummary } from './model/edit-summary.ts';
import { lastDetected } from './model/placeholders.ts';
import { rowsFromProcesses, runningRows } from './model/process-rows.ts';
import { reduceWizard, type WizardEvent } from './model/wizard.ts';

/** Which of an app's settings a form edits. */
export type FormScope = {
  /** Its fields, in a form that can be compared. */
  fieldsOf(draft: DeployDraft): unknown;
  /** The app's values with those of the form. */
  valuesOf(draft: DeployDraft, current: AppValues, baseDomain: string): AppValues;
  problemsOf(problems: DraftProblems): DraftProblems;
  /** The changed settings. Default: those of the edit summary. */
  changesOf?(before: AppValues, after: AppValues): string;
  /** Shown instead of the effect while the edits change no setting yet. */
  incomplete?: string;
};

type AppFormOptions = {
  app: AppResource;
  /** Its releases, newest first. */
  history: Release[];
  /** Hosts with a certificate, for a form that changes addresses. */
  secureHosts?: readonly string[];
  scope: FormScope;
  /** Why nothing can be saved now. */
  disabledReason: string | undefined;
  /** Called after a change was sent. */
  onSent(): void;
};

type FormState = {
  /** The stored values that the fields were filled from. */
  base: AppValues;
  draft: DeployDraft;
  /** The app's `updatedAt` when the form was saved: until it changes, the page shows the values of before. */
  sentAt?: string;
  saved?: string;
};

/**
 * A form on a tab that saves in place. It says what saving causes before and after. Without edits it follows the app; with
 * edits, settings that were changed elsewhere are not overwritten.
 */
export function useAppForm(options: AppFormOptions) {
  const { app, history, secureHosts = [], scope, disabledReason, onSent } = options;
  const config = useConfig();
  const { updateApp } = useMutations();
  const toast = useToast();
  const element = useRef<HTMLFormElement>(null);
  const [form, setForm] = useState<FormState>(() => formOf(app.values));
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>();
  const [failure, setFailure] = useState<string>();
  const { base, draft } = form;

  const fields = scope.fieldsOf(draft);
  const baseFields = scope.fieldsOf(draftFromApp(base));
  const isBehind =
    app.updatedAt !== form.sentAt &&
    !deepEqual(baseFields, scope.fieldsOf(draftFromApp(app.values)));
  const hasChanges = !deepEqual(baseFields, fields);
  if (isBehind && !hasChanges) setForm({ ...formOf(app.values), ...savedOf(form) });

  const found = scope.problemsOf(draftProblems(draft, config, storedOf(base, history)));
  const after = scope.valuesOf(draft, app.values, config.ingress.baseDomain);
  const summary = editSummary({ app, after, history, config, secureHosts });
  const problems: DraftProblems = {
    ...scope.problemsOf(refusalProblems(refusal, draft)),
    ...(hasChanges ? found : {}),
  };

  function dispatch(event: WizardEvent): void {
    setForm(({ base, draft, sentAt }) => ({
      base,
      draft: reduceWizard({ step: 2, draft }, event).draft,
      ...(sentAt === undefined ? {} : { sentAt }),
    }));
    setFailure(undefined);
  }

  function discard(): void {
    setForm(formOf(app.values));
    setRefusal(undefined);
    setFailure(undefined);
  }

  async function save(): Promise<void> {
    if (isBehind || hasProblems(found)) return;
    setBusy(true);
    setRefusal(undefined);
    const result = await updateApp(app.id, after, app.updatedAt);
    setBusy(false);
    if (result.ok) {
      setForm({ ...formOf(after), sentAt: app.updatedAt, saved: summary.saved });
      onSent();
      return;
    }
    const { error, message } = result.error;
    setRefusal(refusalOf(message, draft));
    setFailure(error === 'conflict' ? MESSAGES.form.conflict : message);
    toast({ tone: 'bad', title: MESSAGES.form.failed, text: message });
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    const canSave = hasChanges && !isBusy && disabledReason === undefined;
    if (canSave) void save().then(() => focusFirstInvalid(element.current));
  }

  return {
    element,
    draft,
    /** The stored values. */
    base,
    problems,
    hasChanges,
    isBusy,
    disabledReason,
    bar: barOf(),
    dispatch,
    discard,
    submit,
  };

  function barOf(): SaveBarState {
    if (!hasChanges) {
      return form.saved === undefined ? { kind: 'clean' } : { kind: 'saved', text: form.saved };
    }
    if (isBehind) return { kind: 'problem', text: MESSAGES.form.conflict };
    if (hasProblems(found)) return { kind: 'problem', text: MESSAGES.edit.invalid };
    if (failure !== undefined) return { kind: 'problem', text: failure };
    const changes = scope.changesOf?.(app.values, after) ?? summary.changes;
    const effect = changes === '' ? (scope.incomplete ?? summary.effect) : summary.effect;
    return { kind: 'changed', effect, changes };
  }
}

function formOf(values: AppValues): FormState {
  return { base: values, draft: draftFromApp(values) };
}

function savedOf({ saved }: FormState): Pick<FormState, 'saved'> {
  return saved === undefined ? {} : { saved };
}

/** An app that sleeps already keeps this setting, whatever its Procfile brings. */
function storedOf({ env: storedEnv, sleep, processes }: AppValues, history: Release[]) {
  const detected = lastDetected(history);
  const ran = sleep === undefined ? [] : runningRows(rowsFromProcesses(processes), detected);
  return { storedEnv, detected, ranWithSleep: ran };
}
