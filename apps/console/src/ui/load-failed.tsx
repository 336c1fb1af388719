import { Notice } from './notice.tsx';

/** The live query keeps trying; this goes away by itself. */
export function LoadFailed({ message }: { message: string }) {
  return (
    <Notice tone="bad">
      <p className="font-medium">Your resources could not be loaded</p>
      <p>{message}. Trying again…</p>
    </Notice>
  );
}
