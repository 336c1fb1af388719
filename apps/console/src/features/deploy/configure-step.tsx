import type { AppValues, Detected, IntegrationResource } from '@longshore/contract';
import { type FormEvent, type ReactNode, useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import { DialogFooter } from '../../ui/dialog-footer.tsx';
import { focusFirstInvalid } from '../../ui/focus-first-invalid.ts';
import { Notice } from '../../ui/notice.tsx';
import { AccessFields } from './access-fields.tsx';
import { AdvancedFields } from './advanced-fields.tsx';
import { EnvEditor } from './env-editor.tsx';
import type { DeployDraft } from './model/deploy-draft.ts';
import type { DraftProblems } from './model/draft-problems.ts';
import type { OfferedApp } from './model/variable-references.ts';
import type { WizardEvent } from './model/wizard.ts';
import { NameFields } from './name-fields.tsx';
import { OriginFields } from './origin-fields.tsx';

type ConfigureStepProps = {
  draft: DeployDraft;
  problems: DraftProblems;
  /** By row id. */
  envNotes: Record<string, string>;
  /** Apps that variables can refer to. */
  apps: OfferedApp[];
  integrations: IntegrationResource[];
  /** By the last build of the app. */
  detected?: Detected | undefined;
  /** In update mode. */
  stored?: AppValues | undefined;
  /** Error message of the last submit. */
  failure: string | undefined;
  action: string;
  isBusy: boolean;
  /** Between the fields and the buttons. */
  note?: ReactNode;
  leading: ReactNode;
  onEvent(event: WizardEvent): void;
  onSubmit(): Promise<void>;
};

/** Step 2. A failed submit keeps every field and focuses the first invalid one. */
export function ConfigureStep(props: ConfigureStepProps) {
  const { draft, problems, envNotes, apps, integrations, failure, action, isBusy, note } = props;
  const { detected, stored, leading, onEvent, onSubmit } = props;
  const form = useRef<HTMLFormElement>(null);
  const change = (changes: Partial<DeployDraft>) => onEvent({ type: 'change', change: changes });
  const fieldsProps = { draft, problems, integrations, onChange: change };

  function submit(event: FormEvent) {
    event.preventDefault();
    if (isBusy) return;
    void onSubmit().then(() => focusFirstInvalid(form.current));
  }

  return (
    <form ref={form} noValidate onSubmit={submit} className="flex min-h-0 flex-col">
      <div className="grid gap-5 overflow-auto p-5">
        {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
        <OriginFields {...fieldsProps} onChangeRepository={() => onEvent({ type: 'back' })} />
        <NameFields {...fieldsProps} />
        <div className="rounded-box border border-line p-4">
          <AccessFields {...fieldsProps} />
        </div>
        <EnvEditor
          rows={draft.envVars}
          problems={problems.envVars ?? {}}
          notes={envNotes}
          apps={apps}
          onEvent={onEvent}
        />
        <AdvancedFields {...fieldsProps} detected={detected} stored={stored} />
      </div>
      {note}
      <DialogFooter>
        {leading}
        <Button kind="primary" type="submit" isBusy={isBusy}>
          {action}
        </Button>
      </DialogFooter>
    </form>
  );
}
