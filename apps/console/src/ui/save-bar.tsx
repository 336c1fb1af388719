import { type ReactNode, useEffect } from 'react';
import { Button } from './button.tsx';
import { Check, CircleAlert, RefreshCw } from './icons.tsx';
import { DISCARD, SAVE_CHANGES } from './texts.ts';
import { Tooltip } from './tooltip.tsx';

export type SaveBarState =
  | { kind: 'clean' }
  /** Unsaved changes: what saving causes, and what was changed. */
  | { kind: 'changed'; effect: string; changes: string }
  | { kind: 'problem'; text: string }
  /** What saving has caused. */
  | { kind: 'saved'; text: string };

type SaveBarProps = {
  state: SaveBarState;
  isBusy: boolean;
  /** Why nothing can be saved now. */
  disabledReason: string | undefined;
  onDiscard(): void;
};

/** At the bottom of a form that saves in place: always visible while there are changes. Its button submits the form. */
export function SaveBar({ state, isBusy, disabledReason, onDiscard }: SaveBarProps) {
  useEffect(() => {
    // The bar may appear above the field that was just edited.
    if (state.kind === 'changed') document.activeElement?.scrollIntoView({ block: 'nearest' });
  }, [state.kind]);
  if (state.kind === 'clean') return null;
  return (
    <div
      data-save-bar
      className="sticky bottom-3 z-20 flex animate-fade flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-box border border-line-strong bg-raised px-4 py-3 shadow-float"
    >
      <div className="min-w-0 flex-1 basis-64">
        <Sentence state={state} />
        {state.kind === 'changed' && state.changes !== '' && (
          <p className="mt-0.5 text-xs wrap-anywhere text-muted">{state.changes}</p>
        )}
      </div>
      {state.kind !== 'saved' && (
        <div className="flex gap-2 max-sm:w-full max-sm:*:flex-1">
          <Button isDisabled={isBusy} onClick={onDiscard}>
            {DISCARD}
          </Button>
          <Tooltip text={disabledReason}>
            <Button
              kind="primary"
              type="submit"
              isBusy={isBusy}
              isDisabled={disabledReason !== undefined}
            >
              {SAVE_CHANGES}
            </Button>
          </Tooltip>
        </div>
      )}
    </div>
  );
}

function Sentence({ state }: { state: SaveBarState }) {
  switch (state.kind) {
    case 'clean':
      return null;
    case 'changed':
      return (
        <Line icon={<RefreshCw size={16} aria-hidden="true" className="mt-0.5 shrink-0" />}>
          {state.effect}
        </Line>
      );
    case 'saved':
      return (
        <Line icon={<Check size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-ok" />}>
          {state.text}
        </Line>
      );
    case 'problem':
      return (
        <div className="text-bad">
          <Line icon={<CircleAlert size={16} aria-hidden="true" className="mt-0.5 shrink-0" />}>
            {state.text}
          </Line>
        </div>
      );
  }
}

function Line({ icon, children }: { icon: ReactNode; children: string }) {
  return (
    <p role="status" className="flex items-start gap-2 font-medium">
      {icon}
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </p>
  );
}
