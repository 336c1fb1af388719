import type { ClipboardEvent } from 'react';
import { IconButton } from '../../ui/icon-button.tsx';
import { X } from '../../ui/icons.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { MESSAGES } from './messages.ts';
import { type EnvRow, isEnvText } from './model/env-rows.ts';
import type { WizardEvent } from './model/wizard.ts';

type EnvRowFieldsProps = {
  row: EnvRow;
  /** Counted from 1, for the accessible names. */
  place: number;
  problem: string | undefined;
  isRevealed: boolean;
  onEvent(event: WizardEvent): void;
};

export function EnvRowFields({ row, place, problem, isRevealed, onEvent }: EnvRowFieldsProps) {
  const { id, key, value } = row;
  const { env: words, examples } = MESSAGES;
  const problemId = `env-problem-${id}`;

  function paste(event: ClipboardEvent) {
    const text = event.clipboardData.getData('text');
    if (!isEnvText(text)) return;
    event.preventDefault();
    onEvent({ type: 'paste-env', id, text });
  }

  return (
    <div>
      <div className="flex gap-2">
        <TextInput
          data-env-key
          aria-label={words.key(place)}
          aria-invalid={problem !== undefined}
          aria-describedby={problem === undefined ? undefined : problemId}
          placeholder={examples.envKey}
          autoComplete="off"
          spellCheck={false}
          className="flex-1 font-mono text-[0.8125rem]"
          value={key}
          onPaste={paste}
          onChange={(event) =>
            onEvent({ type: 'change-env', id, change: { key: event.target.value } })
          }
        />
        <TextInput
          aria-label={words.value(place)}
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
        <IconButton label={words.remove(place)} onClick={() => onEvent({ type: 'remove-env', id })}>
          <X size={16} aria-hidden="true" />
        </IconButton>
      </div>
      {problem !== undefined && (
        <p id={problemId} role="alert" className="mt-1 text-xs text-bad">
          {problem}
        </p>
      )}
    </div>
  );
}
