import type { TotpSecret } from '@longshore/contract';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { MESSAGES } from './messages.ts';

const { authenticator: TEXTS } = MESSAGES;

/** As a picture, and as a key to type. */
export function SecretToScan({ secret }: { secret: TotpSecret | undefined }) {
  if (secret === undefined) return <Skeleton className="mx-auto size-48" />;
  return (
    <div className="grid justify-items-center gap-3">
      {/* Scanners want dark on light, whatever the theme. */}
      <img
        src={secret.imageUrl}
        alt={TEXTS.picture}
        width={192}
        height={192}
        className="size-48 rounded-box border border-line bg-white p-2"
      />
      <div className="flex max-w-full items-center gap-1">
        <code className="font-mono text-[0.8125rem] break-all">{secret.totpSecret}</code>
        <CopyButton text={secret.totpSecret} label={TEXTS.copyKey} />
      </div>
    </div>
  );
}
