import { Spinner } from './spinner.tsx';
import { LOADING } from './words.ts';

export function FullPageSpinner() {
  return (
    <div role="status" className="grid min-h-dvh place-items-center text-faint">
      <Spinner />
      <span className="sr-only">{LOADING}</span>
    </div>
  );
}
