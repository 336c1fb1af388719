import { clsx } from 'clsx';
import { type ReactNode, useEffect, useRef } from 'react';
import { CornerDownRight, Folder, Rocket, SquareArrowOutUpRight, Zap } from '../../ui/icons.tsx';
import { MESSAGES } from '../messages.ts';
import type { PaletteEntry, PaletteGroup } from './model/palette-entries.ts';

const ICONS: Record<PaletteGroup, ReactNode> = {
  here: <Zap size={15} />,
  pages: <SquareArrowOutUpRight size={15} />,
  projects: <Folder size={15} />,
  applications: <Rocket size={15} />,
  preferences: <CornerDownRight size={15} />,
};

type PaletteListProps = {
  id: string;
  entries: PaletteEntry[];
  current: number;
  onPoint(position: number): void;
  onChoose(entry: PaletteEntry): void;
};

/** The focus stays in the input, which refers to the current row by `aria-activedescendant`. */
export function PaletteList({ id, entries, current, onPoint, onChoose }: PaletteListProps) {
  const list = useRef<HTMLDivElement>(null);
  const shown = useRef(current);
  useEffect(() => {
    // A list that was just opened is at its top: scrolling would force another layout.
    if (shown.current === current) return;
    shown.current = current;
    list.current?.querySelector(`[id="${id}-${current}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [id, current]);
  if (entries.length === 0)
    return (
      <p role="status" className="px-4 py-6 text-center text-muted">
        {MESSAGES.palette.noResults}
      </p>
    );
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label={MESSAGES.palette.title}
      tabIndex={-1}
      className="overflow-y-auto p-1.5"
    >
      {entries.map((entry, position) => (
        <div key={`${entry.group}-${keyOf(entry)}`} role="presentation">
          {entry.group !== entries[position - 1]?.group && (
            <p role="presentation" className="px-2.5 pt-2 pb-1 text-xs text-faint">
              {MESSAGES.palette.groups[entry.group]}
            </p>
          )}
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: the input above handles the keys */}
          <div
            id={`${id}-${position}`}
            role="option"
            tabIndex={-1}
            aria-selected={position === current}
            onMouseMove={() => onPoint(position)}
            onClick={() => onChoose(entry)}
            className={clsx(
              'flex min-h-10 cursor-pointer items-center gap-3 rounded-md px-2.5 py-1.5',
              position === current && 'bg-hover',
            )}
          >
            <span aria-hidden="true" className="text-faint">
              {ICONS[entry.group]}
            </span>
            {/* Long names often differ only at the end, so they are not truncated. */}
            <span className="flex min-w-0 flex-1 flex-wrap items-baseline justify-between gap-x-3">
              <span className="min-w-0">{entry.label}</span>
              {entry.detail && <span className="min-w-0 text-xs text-muted">{entry.detail}</span>}
            </span>
          </div>
        </div>
      ))}
    </div>
  );
}

function keyOf({ label, act }: PaletteEntry): string {
  return act.kind === 'go' ? act.to : label;
}
