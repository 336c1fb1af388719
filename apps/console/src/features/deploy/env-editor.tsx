import { Eye, EyeOff, Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
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
  const Icon = isRevealed ? EyeOff : Eye;
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 font-medium">Environment variables</legend>
      {rows.map((row, index) => (
        <EnvRowFields
          key={row.id}
          row={row}
          place={index + 1}
          problem={problems[row.id]}
          isRevealed={isRevealed}
          onEvent={onEvent}
        />
      ))}
      <div className="flex flex-wrap items-center gap-2">
        <Button size="small" onClick={() => onEvent({ type: 'add-env' })}>
          <Plus size={14} aria-hidden="true" />
          Add variable
        </Button>
        <Button size="small" kind="ghost" onClick={() => setRevealed(!isRevealed)}>
          <Icon size={14} aria-hidden="true" />
          {isRevealed ? 'Hide values' : 'Show values'}
        </Button>
        <p className="text-xs text-faint">{MESSAGES.envHint}</p>
      </div>
    </fieldset>
  );
}
