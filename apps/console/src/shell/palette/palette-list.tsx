import { clsx } from 'clsx';
import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react';
import { CornerDownRight, Folder, Rocket, SquareArrowOutUpRight, Zap } from '../../ui/icons.tsx';
import { LOADING } from '../../ui/texts.ts';
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
  /** The key of the selected entry. */
  current: string | undefined;
  /** The selected entry must be chosen again. */
  isAsked: boolean;
  isLoading: boolean;
  onPoint(entry: PaletteEntry): void;
  onChoose(entry: PaletteEntry): void;
};

/** The focus stays in the input, which refers to the current row by `aria-activedescendant`. */
export function PaletteList(props: PaletteListProps) {
  const { id, entries, current, isAsked, isLoading, onPoint, onChoose } = props;
  const list = useRef<HTMLDivElement>(null);
  const shown = useRef(current);
  useEffect(() => {
    // A list that was just opened is at its top: scrolling would force another layout.
    if (shown.current === current) return;
    shown.current = current;
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  if (entries.length === 0)
    return (
      <p role="status" className="px-4 py-6 text-center text-muted">
        {isLoading ? LOADING : MESSAGES.palette.noResults}
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
        <div key={entry.key} role="presentation">
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
            aria-selected={entry.key === current}
            onMouseMove={(event) => hasMoved(event) && onPoint(entry)}
            onClick={(event) => isSingleClick(event) && onChoose(entry)}
            className={clsx(
              'flex min-h-10 cursor-pointer items-center gap-3 rounded-md px-2.5 py-1.5',
              entry.key === current && 'bg-hover',
            )}
          >
            <span aria-hidden="true" className="text-faint">
              {ICONS[entry.group]}
            </span>
            {/* Long names often differ only at the end, so they are not truncated. */}
            <span className="flex min-w-0 flex-1 flex-wrap items-baseline justify-between gap-x-3">
              <span className="min-w-0">{entry.label}</span>
              {entry.detail && <span className="min-w-0 text-xs text-muted">{entry.detail}</span>}
              {entry.key === current && isAsked && (
                <span role="status" className="min-w-0 text-xs text-accent-ink">
                  {MESSAGES.palette.confirm}
                </span>
              )}
            </span>
          </div>
        </div>
      ))}
    </div>
  );
}

/** Chromium also sends this event when the list changes below a mouse that stands still. */
function hasMoved({ movementX, movementY }: MouseEvent): boolean {
  return movementX !== 0 || movementY !== 0;
}

/** The second click of a double click must not confirm. */
function isSingleClick({ detail }: MouseEvent): boolean {
  return detail < 2;
}
