import { type ReactNode, useState } from 'react';
import { CopyButton } from '../../ui/copy-button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Eye, EyeOff } from '../../ui/icons.tsx';
import { MESSAGES } from './messages.ts';

/** What its owner enters at the provider. The secret stays masked until it is asked for. */
export function ManualWebhook({ url, secret }: { url: string; secret: string }) {
  const [isShown, setShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <div className="grid gap-2">
      <dl className="grid gap-2 rounded-box border border-line bg-sunken py-2 pr-1 pl-3">
        <Line name={MESSAGES.url} value={url}>
          <CopyButton text={url} label={MESSAGES.copyUrl} />
        </Line>
        <Line name={MESSAGES.secret} value={isShown ? secret : '•'.repeat(16)}>
          <IconButton
            label={isShown ? MESSAGES.hide : MESSAGES.show}
            onClick={() => setShown(!isShown)}
          >
            <Icon size={16} aria-hidden="true" />
          </IconButton>
          <CopyButton text={secret} label={MESSAGES.copySecret} />
        </Line>
      </dl>
      <p className="text-xs text-faint">{MESSAGES.manualHint}</p>
    </div>
  );
}

function Line({ name, value, children }: { name: string; value: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-1">
      <dt className="col-start-1 text-xs text-faint">{name}</dt>
      <dd className="col-start-1 font-mono text-xs break-all">{value}</dd>
      <dd className="col-start-2 row-span-2 row-start-1 flex">{children}</dd>
    </div>
  );
}
