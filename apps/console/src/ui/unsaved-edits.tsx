import {
  createContext,
  type FocusEvent,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
} from 'react';
import { deepEqual } from '../lib/deep-equal.ts';
import { Button } from './button.tsx';
import { DISCARD, DISCARD_QUESTION, KEEP_EDITING } from './texts.ts';

/** How a form reports its edits to the dialog around it. */
export const ReportEdits = createContext<(hasEdits: boolean) => void>(() => undefined);

type UnsavedEditsProps = { before: unknown; after: unknown };

/** Placed in a form in a dialog: while the fields differ from those it was opened with, closing the dialog asks first. */
export function UnsavedEdits({ before, after }: UnsavedEditsProps) {
  const report = useContext(ReportEdits);
  const hasEdits = !deepEqual(before, after);
  useLayoutEffect(() => {
    report(hasEdits);
    return () => report(false);
  }, [report, hasEdits]);
  return null;
}

type DiscardQuestionProps = {
  onKeep(): void;
  /** The user went back to a field. */
  onDismiss(): void;
  onDiscard(): void;
};

/** Covers the buttons of the dialog. */
export function DiscardQuestion({ onKeep, onDismiss, onDiscard }: DiscardQuestionProps) {
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // In the next task: the press outside that asked moves the focus after this effect.
    const timer = setTimeout(() => keep.current?.focus());
    return () => clearTimeout(timer);
  }, []);
  function handleBlur({ currentTarget, relatedTarget }: FocusEvent) {
    if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) onDismiss();
  }
  return (
    <div
      role="alertdialog"
      aria-label={DISCARD_QUESTION}
      onBlur={handleBlur}
      className="absolute inset-x-0 bottom-0 z-10 flex animate-fade flex-wrap items-center justify-end gap-2 rounded-b-box border-t border-line bg-raised px-5 py-3.5 max-sm:px-4 max-sm:[&>button]:px-3"
    >
      <p className="mr-auto font-medium">{DISCARD_QUESTION}</p>
      <Button ref={keep} onClick={onKeep}>
        {KEEP_EDITING}
      </Button>
      <Button kind="destroy" onClick={onDiscard}>
        {DISCARD}
      </Button>
    </div>
  );
}
