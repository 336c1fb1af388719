import { useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Eye, EyeOff, Plus } from '../../ui/icons.tsx';
import { EnvRowFields } from './env-row-fields.tsx';
import { MESSAGES } from './messages.ts';
import type { EnvRow } from './model/env-rows.ts';
import type { WizardEvent } from './model/wizard.ts';

type EnvEditorProps = {
  rows: EnvRow[];
  problems: Record<string, string>;
  onEvent(event: WizardEvent): void;
};

/** Rows of key and value; values stay masked until revealed. */
export function EnvEditor({ rows, problems, onEvent }: EnvEditorProps) {
  const [isRevealed, setRevealed] = useState(false);
  const fields = useRef<HTMLFieldSetElement>(null);
  const wishedRow = useRef<number>(undefined);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows are what the focus waits for
  useEffect(() => {
    if (wishedRow.current === undefined) return;
    const keys = fields.current?.querySelectorAll<HTMLElement>('[data-env-key]') ?? [];
    keys[Math.min(wishedRow.current, keys.length - 1)]?.focus();
    wishedRow.current = undefined;
  }, [rows]);

  /** Rows come and go; the focus goes to the one that is next to be filled in. */
  function send(event: WizardEvent, row: number): void {
    if (event.type !== 'change-env') wishedRow.current = row;
    onEvent(event);
  }

  const words = MESSAGES.env;
  const Icon = isRevealed ? EyeOff : Eye;
  return (
    <fieldset ref={fields} className="grid gap-2">
      <legend className="mb-1.5 font-medium">{words.title}</legend>
      {rows.map((row, index) => (
        <EnvRowFields
          key={row.id}
          row={row}
          place={index + 1}
          problem={problems[row.id]}
          isRevealed={isRevealed}
          onEvent={(event) => send(event, event.type === 'paste-env' ? Infinity : index)}
        />
      ))}
      <div className="flex flex-wrap items-center gap-2">
        <Button size="small" onClick={() => send({ type: 'add-env' }, rows.length)}>
          <Plus size={14} aria-hidden="true" />
          {words.add}
        </Button>
        <Button size="small" kind="ghost" onClick={() => setRevealed(!isRevealed)}>
          <Icon size={14} aria-hidden="true" />
          {isRevealed ? words.hide : words.show}
        </Button>
        <p className="text-xs text-faint">{words.hint}</p>
      </div>
    </fieldset>
  );
}
