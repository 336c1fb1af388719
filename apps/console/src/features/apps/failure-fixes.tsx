import { type AppResource, type Fix, sizeText, type VariableSource } from '@longshore/contract';
import { useState } from 'react';
import { Link } from 'react-router';
import { useMutations } from '../../client/session-context.tsx';
import { Button } from '../../ui/button.tsx';
import { buttonStyle } from '../../ui/button-style.ts';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { MESSAGES } from './messages.ts';
import { newVariablesPath } from './model/app-tabs.ts';
import type { ButtonView } from './model/app-view.ts';
import { type AppliedFix, applyFix, openFixes, type VariableFix } from './model/fix.ts';

const TEXTS = MESSAGES.fixes;

export type FailureFixesProps = {
  app: AppResource;
  fixes: readonly Fix[];
  edit: ButtonView;
  /** Called after a fix was sent. */
  onSent(): void;
};

/** Buttons that change the settings so that the app probably deploys. */
export function FailureFixes({ app, fixes, edit, onSent }: FailureFixesProps) {
  const { updateApp } = useMutations();
  const toast = useToast();
  const [sent, setSent] = useState<AppliedFix>();
  const open = openFixes(fixes, app.values);
  const roots = open.filter((fix) => fix.kind === 'root-directory');
  const ports = open.filter((fix) => fix.kind === 'port');
  const sizes = open.filter((fix) => fix.kind === 'size');
  const fonts = open.filter((fix) => fix.kind === 'fallback-fonts');
  const variables = open.filter((fix) => fix.kind === 'variable');
  if (open.length === 0) return null;

  async function apply(fix: AppliedFix): Promise<void> {
    setSent(fix);
    const result = await updateApp(app.id, applyFix(app.values, fix), app.updatedAt);
    setSent(undefined);
    if (result.ok) return onSent();
    const { error, message } = result.error;
    const text = error === 'conflict' ? MESSAGES.conflict : message;
    toast({ tone: 'bad', title: TEXTS.failed, text });
  }

  const buttonOf = (fix: AppliedFix, label: string, isPrimary: boolean, name = label) => (
    <Tooltip text={edit.reason}>
      <Button
        size="small"
        aria-label={name}
        kind={isPrimary ? 'primary' : 'secondary'}
        isDisabled={edit.isDisabled || (sent !== undefined && sent !== fix)}
        isBusy={sent === fix}
        onClick={() => void apply(fix)}
      >
        {label}
      </Button>
    </Tooltip>
  );
  return (
    <div className="mt-3 grid gap-3">
      {roots.length > 0 && (
        <ul className="grid grid-cols-1 gap-px overflow-hidden rounded-md border border-line bg-line">
          {roots.map((fix) => (
            <li
              key={fix.folder}
              className="flex flex-wrap items-center gap-x-3 gap-y-2 bg-surface px-3 py-2"
            >
              <span className="min-w-0 flex-1 basis-40">
                <code className="font-mono text-[0.8125rem] wrap-anywhere text-text">
                  {fix.folder}
                </code>
                <span className="block text-xs wrap-anywhere text-muted">{fix.evidence}</span>
              </span>
              {buttonOf(fix, TEXTS.deploy, roots.length === 1, TEXTS.deployFolder(fix.folder))}
            </li>
          ))}
        </ul>
      )}
      {ports.map((fix) => (
        <div key={fix.port}>{buttonOf(fix, TEXTS.changePort(fix.port), ports.length === 1)}</div>
      ))}
      {sizes.map((fix) => (
        <div key={fix.tier}>{buttonOf(fix, TEXTS.changeSize(sizeText(fix)), true)}</div>
      ))}
      {fonts.map((fix) => (
        <div key={fix.kind}>{buttonOf(fix, TEXTS.useFallbackFonts, true)}</div>
      ))}
      {variables.length > 0 && <MissingVariables app={app} variables={variables} />}
    </div>
  );
}

type MissingVariablesProps = { app: AppResource; variables: VariableFix[] };

/** Their values are typed on the tab Variables, which gets the names. */
export function MissingVariables({ app, variables }: MissingVariablesProps) {
  const names = variables.map(({ name }) => name);
  return (
    <div>
      <p className="text-text">{TEXTS.missing(names.length)}</p>
      <ul className="mt-1.5 flex flex-wrap gap-x-3 gap-y-1 text-xs text-muted">
        {variables.map(({ name, source }) => (
          <li key={name}>
            <code className="font-mono text-[0.8125rem] wrap-anywhere text-text">{name}</code>{' '}
            {sourceText(source)}
          </li>
        ))}
      </ul>
      <Link to={newVariablesPath(app, names)} className={buttonStyle('primary', 'small', 'mt-2.5')}>
        {TEXTS.setVariables(names)}
      </Link>
    </div>
  );
}

function sourceText(source: VariableSource): string {
  switch (source.kind) {
    case 'message':
      return TEXTS.inMessage;
    case 'file':
      return TEXTS.listedIn(source.file);
    case 'code':
      return TEXTS.readIn(source.file);
  }
}
