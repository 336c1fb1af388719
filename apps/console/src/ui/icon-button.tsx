import type { ComponentProps } from 'react';
import { Button } from './button.tsx';
import { Tooltip } from './tooltip.tsx';

type IconButtonProps = ComponentProps<typeof Button> & { label: string };

export function IconButton({ label, kind = 'ghost', size = 'icon', ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label}>
      <Button {...rest} kind={kind} size={size} aria-label={label} />
    </Tooltip>
  );
}
