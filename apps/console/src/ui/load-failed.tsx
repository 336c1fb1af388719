import { Notice } from './notice.tsx';
import { RESOURCES_FAILED, retrying } from './words.ts';

/** The live query keeps trying; this goes away by itself. */
export function LoadFailed({ message }: { message: string }) {
  return (
    <Notice tone="bad">
      <p className="font-medium">{RESOURCES_FAILED}</p>
      <p>{retrying(message)}</p>
    </Notice>
  );
}
