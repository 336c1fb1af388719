import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Plus, X } from '../../ui/icons.tsx';
import type { PairRow } from './model/traffic-draft.ts';

export type PairField = {
  value: string;
  label: string;
  isInvalid: boolean;
  describedBy: string | undefined;
  onChange(value: string): void;
};

type PairRowsProps = {
  title: string;
  hint: string;
  problem: string | undefined;
  rows: PairRow[];
  /** For a new row. */
  initialFirst?: string;
  texts: {
    add: string;
    remove(position: number): string;
    first(position: number): string;
    second(position: number): string;
  };
  firstField(field: PairField): ReactNode;
  secondField(field: PairField): ReactNode;
  onChange(rows: PairRow[]): void;
};

/** Rows of two fields that can be added and removed. */
export function PairRows(props: PairRowsProps) {
  const { title, hint, problem, rows, initialFirst = '', texts, onChange } = props;
  const frame = useRef<HTMLFieldSetElement>(null);
  const rowToFocus = useRef<number>(undefined);
  const noteId = useId();

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after rows were added or removed
  useEffect(() => {
    if (rowToFocus.current === undefined) return;
    const groups = frame.current?.querySelectorAll('[data-row]') ?? [];
    const row = groups[Math.min(rowToFocus.current, groups.length - 1)];
    const next = row?.querySelector<HTMLElement>('input, select');
    (next ?? frame.current?.querySelector<HTMLElement>('[data-add]'))?.focus();
    rowToFocus.current = undefined;
  }, [rows.length]);

  function fieldOf(row: PairRow, index: number, part: 'first' | 'second'): PairField {
    return {
      value: row[part],
      label: texts[part](index + 1),
      isInvalid: problem !== undefined,
      describedBy: noteId,
      onChange: (value) =>
        onChange(rows.map((other) => (other.id === row.id ? { ...other, [part]: value } : other))),
    };
  }

  function add() {
    rowToFocus.current = rows.length;
    const id = 1 + Math.max(-1, ...rows.map((row) => row.id));
    onChange([...rows, { id, first: initialFirst, second: '' }]);
  }

  function remove(index: number) {
    rowToFocus.current = index;
    onChange(rows.filter((_, at) => at !== index));
  }

  return (
    <fieldset ref={frame} className="grid gap-2">
      <legend className="mb-1.5 font-medium">{title}</legend>
      {rows.map((row, index) => (
        <div key={row.id} data-row className="flex gap-2 max-sm:flex-wrap max-sm:justify-end">
          {props.firstField(fieldOf(row, index, 'first'))}
          {props.secondField(fieldOf(row, index, 'second'))}
          <IconButton label={texts.remove(index + 1)} onClick={() => remove(index)}>
            <X size={16} aria-hidden="true" />
          </IconButton>
        </div>
      ))}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Button size="small" data-add onClick={add}>
          <Plus size={14} aria-hidden="true" />
          {texts.add}
        </Button>
        <p
          id={noteId}
          role={problem === undefined ? undefined : 'alert'}
          className={
            problem === undefined ? 'text-xs text-faint' : 'text-xs wrap-anywhere text-bad'
          }
        >
          {problem ?? hint}
        </p>
      </div>
    </fieldset>
  );
}
