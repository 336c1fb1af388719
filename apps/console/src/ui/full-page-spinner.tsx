import { Spinner } from './spinner.tsx';

export function FullPageSpinner() {
  return (
    <div role="status" className="grid min-h-dvh place-items-center text-faint">
      <Spinner />
      <span className="sr-only">Loading</span>
    </div>
  );
}
