import { Notice } from './notice.tsx';
import { RESOURCES_FAILED, retrying } from './texts.ts';

type LoadFailedProps = {
  message: string;
  /** True if the page has no other heading. */
  isPage?: boolean;
};

/** The live query retries by itself; this disappears when it succeeds. */
export function LoadFailed({ message, isPage = false }: LoadFailedProps) {
  const Title = isPage ? 'h1' : 'p';
  return (
    <Notice tone="bad">
      <Title className="font-medium">{RESOURCES_FAILED}</Title>
      <p>{retrying(message)}</p>
    </Notice>
  );
}
