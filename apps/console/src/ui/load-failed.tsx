import { Notice } from './notice.tsx';
import { RESOURCES_FAILED, retrying } from './texts.ts';

type LoadFailedProps = {
  message: string;
  /** Where the page has no other heading. */
  isPage?: boolean;
};

/** The live query keeps trying; this goes away by itself. */
export function LoadFailed({ message, isPage = false }: LoadFailedProps) {
  const Title = isPage ? 'h1' : 'p';
  return (
    <Notice tone="bad">
      <Title className="font-medium">{RESOURCES_FAILED}</Title>
      <p>{retrying(message)}</p>
    </Notice>
  );
}
