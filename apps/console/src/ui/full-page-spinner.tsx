import { Spinner } from './spinner.tsx';
import { LOADING } from './texts.ts';

export function FullPageSpinner() {
  return (
    <main className="grid min-h-dvh place-items-center text-faint">
      <div role="status">
        <Spinner />
        <h1 className="sr-only">{LOADING}</h1>
      </div>
    </main>
  );
}
