import { type ReactNode, useState } from 'react';
import { CopyButton } from '../../ui/copy-button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Eye, EyeOff } from '../../ui/icons.tsx';

type SecretLineProps = {
  name: string;
  value: string;
  /** Shown until the value is revealed. */
  masked: string;
  labels: { show: string; hide: string; copy: string };
};

/** A copyable line whose value is masked until it is revealed. */
export function SecretLine({ name, value, masked, labels }: SecretLineProps) {
  const [isRevealed, setRevealed] = useState(false);
  const Icon = isRevealed ? EyeOff : Eye;
  return (
    <CopyableLine name={name} value={isRevealed ? value : masked}>
      <IconButton
        label={isRevealed ? labels.hide : labels.show}
        onClick={() => setRevealed(!isRevealed)}
      >
        <Icon size={16} aria-hidden="true" />
      </IconButton>
      <CopyButton text={value} label={labels.copy} />
    </CopyableLine>
  );
}

type CopyableLineProps = { name: string; value: string; children: ReactNode };

/** `children`: the buttons beside it. */
export function CopyableLine({ name, value, children }: CopyableLineProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-1">
      <dt className="col-start-1 text-xs text-faint">{name}</dt>
      <dd className="col-start-1 font-mono text-xs break-all">{value}</dd>
      <dd className="col-start-2 row-span-2 row-start-1 flex">{children}</dd>
    </div>
  );
}
