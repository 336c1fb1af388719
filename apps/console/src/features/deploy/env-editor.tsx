import { clsx } from 'clsx';
import { type ClipboardEvent, useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Eye, EyeOff, Plus, X } from '../../ui/icons.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { MESSAGES } from './messages.ts';
import { type EnvRow, emptyRowId, isEnvText } from './model/env-rows.ts';
import { type OfferedApp, referenceLine } from './model/variable-references.ts';
import type { WizardEvent } from './model/wizard.ts';
import { ReferenceDialog } from './reference-dialog.tsx';

type EnvEditorProps = {
  rows: EnvRow[];
  /** By row id. */
  problems: Record<string, string>;
  notes: Record<string, string>;
  /** Apps that variables can refer to. */
  apps: OfferedApp[];
  /** On a page of its own: marks of changed rows by row id, and the title is that of the page. */
  page?: { tags: Record<string, string> };
  onEvent(event: WizardEvent): void;
};

/** Rows of key and value; values are masked until revealed. */
export function EnvEditor({ rows, problems, notes, apps, page, onEvent }: EnvEditorProps) {
  const [isRevealed, setRevealed] = useState(false);
  const [isReferring, setReferring] = useState(false);
  const fields = useRef<HTMLFieldSetElement>(null);
  const rowToFocus = useRef<number>(undefined);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after the rows have changed
  useEffect(() => {
    if (rowToFocus.current === undefined) return;
    const keys = fields.current?.querySelectorAll<HTMLElement>('[data-env-key]') ?? [];
    keys[Math.min(rowToFocus.current, keys.length - 1)]?.focus();
    rowToFocus.current = undefined;
  }, [rows]);

  /** After rows were added or removed, the next row to fill in gets the focus. */
  function send(event: WizardEvent, row: number): void {
    if (event.type !== 'change-env') rowToFocus.current = row;
    onEvent(event);
  }

  const texts = MESSAGES.env;
  const Icon = isRevealed ? EyeOff : Eye;
  return (
    <fieldset ref={fields} className="grid gap-2">
      <legend className={page === undefined ? 'mb-1.5 font-medium' : 'sr-only'}>
        {texts.title}
      </legend>
      {rows.map((row, index) => (
        <EnvRowFields
          key={row.id}
          row={row}
          position={index + 1}
          problem={problems[row.id]}
          note={notes[row.id]}
          tag={page?.tags[row.id]}
          isOnPage={page !== undefined}
          isRevealed={isRevealed}
          onEvent={(event) => send(event, event.type === 'paste-env' ? Infinity : index)}
        />
      ))}
      <div className="flex flex-wrap items-center gap-2">
        <Button size="small" onClick={() => send({ type: 'add-env' }, rows.length)}>
          <Plus size={14} aria-hidden="true" />
          {texts.add}
        </Button>
        {apps.length > 0 && (
          <Button size="small" onClick={() => setReferring(true)}>
            <Plus size={14} aria-hidden="true" />
            {MESSAGES.references.add}
          </Button>
        )}
        <Button size="small" kind="ghost" onClick={() => setRevealed(!isRevealed)}>
          <Icon size={14} aria-hidden="true" />
          {isRevealed ? texts.hide : texts.show}
        </Button>
        <p className="text-xs text-faint">{texts.hint}</p>
      </div>
      {isReferring && (
        <ReferenceDialog
          apps={apps}
          onAdd={(reference) => {
            setReferring(false);
            const text = referenceLine(reference);
            send({ type: 'paste-env', id: emptyRowId(rows), text }, Infinity);
          }}
          onClose={() => setReferring(false)}
        />
      )}
    </fieldset>
  );
}

type EnvRowFieldsProps = {
  row: EnvRow;
  /** From 1, for the accessible names. */
  position: number;
  problem: string | undefined;
  note: string | undefined;
  /** How it differs from the stored variable. */
  tag: string | undefined;
  isOnPage: boolean;
  isRevealed: boolean;
  onEvent(event: WizardEvent): void;
};

function EnvRowFields(props: EnvRowFieldsProps) {
  const { row, position, problem, tag, isOnPage, isRevealed, onEvent } = props;
  const { id, key, value } = row;
  const { env: texts, examples } = MESSAGES;
  const note = problem ?? props.note;
  const noteId = `env-note-${id}`;

  function paste(event: ClipboardEvent) {
    const text = event.clipboardData.getData('text');
    if (!isEnvText(text)) return;
    event.preventDefault();
    onEvent({ type: 'paste-env', id, text });
  }

  return (
    <div className={clsx(tag !== undefined && '-ml-4 border-l-2 border-busy pl-3.5')}>
      <div className={clsx('flex gap-2', isOnPage && 'max-sm:flex-wrap')}>
        <TextInput
          data-env-key
          aria-label={texts.key(position)}
          aria-invalid={problem !== undefined}
          aria-describedby={note === undefined ? undefined : noteId}
          placeholder={examples.envKey}
          autoComplete="off"
          spellCheck={false}
          className={clsx(
            'flex-1 font-mono text-[0.8125rem]',
            isOnPage && 'max-sm:basis-full sm:max-w-72',
          )}
          value={key}
          onPaste={paste}
          onChange={(event) =>
            onEvent({ type: 'change-env', id, change: { key: event.target.value } })
          }
        />
        <TextInput
          data-env-value={key === '' ? undefined : value === '' ? '' : 'set'}
          aria-label={texts.value(position)}
          type={isRevealed ? 'text' : 'password'}
          placeholder={examples.envValue}
          autoComplete="off"
          spellCheck={false}
          className="flex-1 font-mono text-[0.8125rem]"
          value={value}
          onChange={(event) =>
            onEvent({ type: 'change-env', id, change: { value: event.target.value } })
          }
        />
        <IconButton
          label={texts.remove(position)}
          onClick={() => onEvent({ type: 'remove-env', id })}
        >
          <X size={16} aria-hidden="true" />
        </IconButton>
      </div>
      {tag !== undefined && (
        <p className="mt-1 w-fit rounded-sm bg-busy-wash px-1.5 text-xs leading-5 text-busy">
          {tag}
        </p>
      )}
      {note !== undefined && (
        <p
          id={noteId}
          role={problem === undefined ? undefined : 'alert'}
          className={clsx('mt-1 text-xs', problem === undefined ? 'text-muted' : 'text-bad')}
        >
          {note}
        </p>
      )}
    </div>
  );
}
