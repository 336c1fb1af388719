import type { AppResource, AppValues } from '@longshore/contract';
import { type FormEvent, useRef, useState } from 'react';
import { useConfig } from '../../client/console-environment.tsx';
import { useMutations } from '../../client/session-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogFooter } from '../../ui/dialog-footer.tsx';
import { focusFirstInvalid } from '../../ui/focus-first-invalid.ts';
import { Notice } from '../../ui/notice.tsx';
import { CANCEL } from '../../ui/texts.ts';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { UnsavedEdits } from '../../ui/unsaved-edits.tsx';
import { MESSAGES } from './messages.ts';
import {
  draftFromEdge,
  edgeFromDraft,
  refusalProblem,
  type TrafficDraft,
  type TrafficProblems,
  trafficProblems,
} from './model/traffic-draft.ts';
import {
  AccessGroup,
  HeaderRows,
  HttpsGroup,
  LimitFields,
  RedirectRows,
  StickyField,
} from './traffic-fields.tsx';

type TrafficDialogProps = { app: AppResource; onClose(): void };

export function TrafficDialog({ app, onClose }: TrafficDialogProps) {
  const texts = MESSAGES.dialog;
  const { ingress } = useConfig();
  const { updateApp } = useMutations();
  const toast = useToast();
  const form = useRef<HTMLFormElement>(null);
  // The form keeps the values it was opened with; the page behind it continues to update.
  const [opened] = useState(app);
  const [before] = useState(() => draftFromEdge(app.values.edge));
  const [draft, setDraft] = useState<TrafficDraft>(before);
  const [hasSubmitted, setSubmitted] = useState(false);
  const [refusal, setRefusal] = useState<TrafficProblems>({});
  const [isBusy, setBusy] = useState(false);
  const found = trafficProblems(draft, opened, ingress.baseDomain);
  const problems = { ...refusal, ...(hasSubmitted && found) };

  function change(edit: Partial<TrafficDraft>) {
    setDraft((current) => ({ ...current, ...edit }));
    setRefusal({});
  }

  function show(text: string) {
    toast({ tone: 'bad', title: texts.failed, text });
    focusFirstInvalid(form.current);
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (isBusy) return;
    setSubmitted(true);
    if (Object.keys(found).length > 0) {
      toast({ tone: 'bad', ...texts.invalid });
      focusFirstInvalid(form.current);
      return;
    }
    setBusy(true);
    const result = await updateApp(opened.id, withEdge(opened.values, draft), opened.updatedAt);
    setBusy(false);
    if (result.ok) {
      onClose();
      return;
    }
    const { error, message } = result.error;
    const problem = error === 'conflict' ? { form: texts.conflict } : refusalProblem(message);
    setRefusal(problem);
    show(Object.values(problem)[0] ?? message);
  }

  const fields = { draft, problems, onChange: change };
  return (
    <Dialog
      isOpen
      isWide
      onOpenChange={onClose}
      title={texts.title}
      description={texts.description(opened.values.name)}
    >
      <form
        ref={form}
        noValidate
        className="flex min-h-0 flex-col"
        onSubmit={(event) => void submit(event)}
      >
        <UnsavedEdits before={before} after={draft} />
        <div className="grid gap-5 overflow-y-auto p-5">
          {problems.form !== undefined && <Notice tone="bad">{problems.form}</Notice>}
          <AccessGroup {...fields} hasStoredPassword={before.hasPassword} />
          <RedirectRows {...fields} app={opened} baseDomain={ingress.baseDomain} />
          <HeaderRows {...fields} />
          <LimitFields {...fields} />
          <StickyField {...fields} />
          <HttpsGroup
            {...fields}
            hasHttps={ingress.scheme === 'https' || ingress.httpsPort !== undefined}
          />
        </div>
        <p className="border-t border-line px-5 py-2.5 text-xs text-muted">{texts.effect}</p>
        <DialogFooter>
          <Button onClick={onClose}>{CANCEL}</Button>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {texts.save}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

function withEdge({ edge: _, ...values }: AppValues, draft: TrafficDraft): AppValues {
  const edge = edgeFromDraft(draft);
  return edge === undefined ? values : { ...values, edge };
}
