import {
  type AppResource,
  type AppValues,
  mainPort,
  type Release,
  SETTING_EFFECTS,
} from '@longshore/contract';
import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useConfig } from '../../client/console-environment.tsx';
import { NEW_VARIABLE } from '../../lib/new-variable.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogFooter } from '../../ui/dialog-footer.tsx';
import { LeaveQuestion } from '../../ui/leave-question.tsx';
import { SaveBar } from '../../ui/save-bar.tsx';
import { TextAreaField } from '../../ui/text-area-field.tsx';
import { CANCEL } from '../../ui/texts.ts';
import { EnvEditor } from './env-editor.tsx';
import { MESSAGES } from './messages.ts';
import { editableFields } from './model/draft-edits.ts';
import { envNotes } from './model/draft-problems.ts';
import { emptyRowId, envFromRows, namedRows, pastedKeys } from './model/env-rows.ts';
import { settingsEffectText } from './model/settings-effect.ts';
import { changedRows, variableChangesText } from './model/variable-changes.ts';
import { type FormScope, useAppForm } from './use-app-form.ts';
import { useOfferedApps } from './use-offered-apps.ts';

const { variables: TEXTS } = MESSAGES;

const SCOPE: FormScope = {
  fieldsOf: (draft) => editableFields(draft).envVars,
  valuesOf: (draft, current) => ({ ...current, env: envFromRows(draft.envVars) }),
  problemsOf: ({ envVars }) => (envVars === undefined ? {} : { envVars }),
  incomplete: TEXTS.incomplete,
  changesOf: (before, after) => variableChangesText(before.env, after.env),
};

type VariablesFormProps = {
  app: AppResource;
  history: Release[];
  disabledReason: string | undefined;
  onSent(): void;
};

/** The variables of an app, saved in place. */
export function VariablesForm(props: VariablesFormProps) {
  const form = useAppForm({ ...props, scope: SCOPE });
  const { draft, base, problems, bar, isBusy, disabledReason, dispatch } = form;
  const { hasProjectNetwork } = useConfig();
  const apps = useOfferedApps(props.app.values.projectId, props.app.id);
  const isGit = props.app.values.source.enabled;
  const effect = settingsEffectText([SETTING_EFFECTS.env], { hasProjectNetwork, isGit });
  const [isPasting, setPasting] = useState(false);
  const [pasted, setPasted] = useState<string>();
  const [query] = useSearchParams();
  const rowToFill = useRef(false);
  const { element } = form;

  // After the rows of the effect below are rendered.
  useEffect(() => {
    if (!rowToFill.current) return;
    rowToFill.current = false;
    element.current?.querySelector<HTMLElement>('[data-env-value=""]')?.focus();
  });
  // Once: what the user does with the rows afterwards stays.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the address counts
  useEffect(() => {
    const envVars = namedRows(draft.envVars, query.getAll(NEW_VARIABLE));
    if (envVars === draft.envVars) return;
    dispatch({ type: 'change', change: { envVars } });
    rowToFill.current = true;
  }, [query]);

  function paste(text: string): void {
    const keys = pastedKeys(text);
    const existing = keys.filter((key) => draft.envVars.some((row) => row.key === key));
    dispatch({ type: 'paste-env', id: emptyRowId(draft.envVars), text });
    setPasted(TEXTS.pasted(keys.length - existing.length, existing));
    setPasting(false);
  }

  return (
    <form ref={form.element} noValidate className="grid grid-cols-1 gap-4" onSubmit={form.submit}>
      <LeaveQuestion hasChanges={form.hasChanges} />
      <Card
        title={TEXTS.title}
        actions={
          <Button size="small" onClick={() => setPasting(true)}>
            {TEXTS.paste}
          </Button>
        }
      >
        <div className="grid gap-3 p-4">
          <p className="text-muted">
            {TEXTS.intro} {effect}.
          </p>
          {pasted !== undefined && <p role="status">{pasted}</p>}
          <EnvEditor
            rows={draft.envVars}
            problems={problems.envVars ?? {}}
            notes={envNotes(draft, { storedEnv: base.env, apps })}
            apps={apps}
            page={{ tags: changedRows(draft.envVars, base.env) }}
            onEvent={(event) => {
              setPasted(undefined);
              dispatch(event);
            }}
          />
        </div>
      </Card>
      <BuiltInVariables values={props.app.values} />
      <SaveBar
        state={bar}
        isBusy={isBusy}
        disabledReason={disabledReason}
        onDiscard={form.discard}
      />
      {isPasting && <PasteDialog onPaste={paste} onClose={() => setPasting(false)} />}
    </form>
  );
}

/** What the app gets in addition. */
function BuiltInVariables({ values: { ports, env } }: { values: AppValues }) {
  const rows = [
    { name: 'PORT', value: String(mainPort(ports) ?? ''), text: TEXTS.port },
    ...('HOST' in env ? [] : [{ name: 'HOST', value: '0.0.0.0', text: TEXTS.host }]),
  ];
  return (
    <Card title={TEXTS.builtIn}>
      <dl className="grid gap-2 p-4">
        {rows.map(({ name, value, text }) => (
          <div key={name} className="flex flex-wrap gap-x-4">
            <dt className="w-24 shrink-0 font-mono text-[0.8125rem] text-faint">{name}</dt>
            <dd className="min-w-0 flex-1 basis-48">
              <code className="font-mono text-[0.8125rem]">{value}</code>
              <span className="ml-2 text-muted">{text}</span>
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

type PasteDialogProps = { onPaste(text: string): void; onClose(): void };

function PasteDialog({ onPaste, onClose }: PasteDialogProps) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();

  function fill(): void {
    if (pastedKeys(text).length === 0) setProblem(TEXTS.pasteEmpty);
    else onPaste(text);
  }

  return (
    <Dialog isOpen onOpenChange={onClose} title={TEXTS.paste}>
      <div className="min-h-0 overflow-y-auto p-5">
        <TextAreaField
          label={TEXTS.pasteLabel}
          hint={TEXTS.pasteHint}
          placeholder={TEXTS.pasteExample}
          rows={8}
          autoFocus
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={text}
          problem={problem}
          onChange={(event) => {
            setText(event.target.value);
            setProblem(undefined);
          }}
        />
      </div>
      <DialogFooter>
        <Button onClick={onClose}>{CANCEL}</Button>
        <Button kind="primary" onClick={fill}>
          {TEXTS.pasteConfirm}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
