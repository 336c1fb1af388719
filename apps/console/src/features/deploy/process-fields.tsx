import { type Detected, MAX_PROCESSES, sizeText } from '@longshore/contract';
import { useEffect, useRef } from 'react';
import { useConfig } from '../../client/console-environment.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Plus, X } from '../../ui/icons.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import type { DraftFieldsProps } from './draft-fields-props.ts';
import { MESSAGES } from './messages.ts';
import {
  addedProcessRow,
  changeProcess,
  type ProcessField,
  type ShownProcess,
  shownProcesses,
} from './model/process-rows.ts';

const TEXTS = MESSAGES.processes;

type ProcessFieldsProps = Pick<DraftFieldsProps, 'draft' | 'problems' | 'onChange'> & {
  /** By the last build of the app. */
  detected: Detected | undefined;
};

/** The processes of an app other than `web`. Those of its Procfile are always listed. */
export function ProcessFields({ draft, problems, detected, onChange }: ProcessFieldsProps) {
  const { processes: rows } = draft;
  const list = useRef<HTMLDivElement>(null);
  const isAdded = useRef(false);
  const shown = shownProcesses(rows, detected);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after a row was added
  useEffect(() => {
    if (!isAdded.current) return;
    isAdded.current = false;
    const names = list.current?.querySelectorAll<HTMLElement>('[data-process-name]') ?? [];
    [...names].at(-1)?.focus();
  }, [rows.length]);

  function add() {
    isAdded.current = true;
    onChange({ processes: [...rows, addedProcessRow(rows)] });
  }

  return (
    <div ref={list} className="grid gap-4">
      <p className="text-muted">{TEXTS.intro}</p>
      {shown.map((process) => (
        <ProcessRowFields
          key={process.procfile === undefined ? process.row.id : process.row.name}
          process={process}
          problems={problems.processRows?.[process.row.id] ?? {}}
          onChange={(change) => onChange({ processes: changeProcess(rows, process, change) })}
          onRemove={() => onChange({ processes: rows.filter(({ id }) => id !== process.row.id) })}
        />
      ))}
      {problems.processes !== undefined && (
        <p role="alert" className="text-bad text-xs">
          {problems.processes}
        </p>
      )}
      <div>
        <Button size="small" onClick={add} isDisabled={shown.length >= MAX_PROCESSES}>
          <Plus size={14} aria-hidden="true" />
          {TEXTS.add}
        </Button>
      </div>
    </div>
  );
}

type ProcessRowFieldsProps = {
  process: ShownProcess;
  problems: Partial<Record<ProcessField, string>>;
  onChange(change: Partial<Record<ProcessField, string>>): void;
  onRemove(): void;
};

function ProcessRowFields({ process, problems, onChange, onRemove }: ProcessRowFieldsProps) {
  const { row, procfile } = process;
  const { tiers = [] } = useConfig();
  const title = row.name.trim() === '' ? TEXTS.unnamed : row.name.trim();
  const sizes = [
    { value: '', label: TEXTS.sizeOfApp },
    ...tiers.map((tier) => ({ value: tier.name, label: sizeText(tier) })),
  ];
  const isOffered = sizes.some(({ value }) => value === row.resourceTier);
  const stored = { value: row.resourceTier, label: MESSAGES.size.notOffered(row.resourceTier) };
  return (
    <fieldset className="grid gap-3 rounded-box border border-line p-3">
      <legend className="sr-only">{TEXTS.process(title)}</legend>
      <div className="flex min-h-7 items-center justify-between gap-2">
        <p className="min-w-0 truncate font-medium font-mono text-[0.8125rem]">
          {title}
          {procfile !== undefined && (
            <span className="ml-2 font-normal font-sans text-faint text-xs">
              {TEXTS.fromProcfile}
            </span>
          )}
        </p>
        {procfile === undefined && (
          <IconButton label={TEXTS.remove(title)} onClick={onRemove}>
            <X size={16} aria-hidden="true" />
          </IconButton>
        )}
      </div>
      <div className="grid gap-3 sm:grid-cols-2">
        {procfile === undefined && (
          <Field
            data-process-name
            label={TEXTS.name}
            placeholder={TEXTS.nameExample}
            autoComplete="off"
            spellCheck={false}
            value={row.name}
            problem={problems.name}
            onChange={(event) => onChange({ name: event.target.value })}
          />
        )}
        <Field
          label={TEXTS.command}
          placeholder={procfile ?? TEXTS.commandExample}
          autoComplete="off"
          spellCheck={false}
          value={row.command}
          problem={problems.command}
          onChange={(event) => onChange({ command: event.target.value })}
        />
        <Field
          label={TEXTS.replicas}
          hint={TEXTS.replicasHint}
          inputMode="numeric"
          autoComplete="off"
          value={row.replicas}
          problem={problems.replicas}
          onChange={(event) => onChange({ replicas: event.target.value })}
        />
        {tiers.length > 0 && (
          <SelectField
            label={TEXTS.size}
            value={row.resourceTier}
            problem={problems.resourceTier}
            options={isOffered ? sizes : [...sizes, stored]}
            onChange={(resourceTier) => onChange({ resourceTier })}
          />
        )}
      </div>
    </fieldset>
  );
}
