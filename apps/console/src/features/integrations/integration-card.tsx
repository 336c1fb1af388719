import { Button } from '../../ui/button.tsx';
import { CARD_STYLE } from '../../ui/card.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Container, GitBranch, Trash2, TriangleAlert } from '../../ui/icons.tsx';
import { Pill } from '../../ui/pill.tsx';
import { MESSAGES } from './messages.ts';
import type { IntegrationView } from './model/integration-view.ts';

type IntegrationCardProps = { view: IntegrationView; onReconnect(): void; onRemove(): void };

export function IntegrationCard({ view, onReconnect, onRemove }: IntegrationCardProps) {
  const { account, provider, type, host, usedBy, needsReconnect } = view;
  const Icon = view.isRegistry ? Container : GitBranch;
  return (
    <li className={`${CARD_STYLE} flex min-h-36 flex-col gap-3 p-4`}>
      <div className="flex items-start gap-3">
        <span className="grid size-9 shrink-0 place-items-center rounded-box border border-line bg-sunken text-muted">
          <Icon size={17} aria-hidden="true" />
        </span>
        <div className="min-w-0 flex-1">
          <h2 className="line-clamp-2 text-[0.9375rem] font-semibold" title={account}>
            {account}
          </h2>
          <p className="truncate text-xs text-faint">{host}</p>
        </div>
        <IconButton
          label={MESSAGES.card.remove(account)}
          className="-mt-1 -mr-2"
          onClick={onRemove}
        >
          <Trash2 size={16} aria-hidden="true" />
        </IconButton>
      </div>
      {needsReconnect && (
        <div className="flex items-center justify-between gap-2 rounded-box border border-busy-line bg-busy-wash py-1.5 pr-1.5 pl-3 text-busy">
          <span className="flex items-center gap-2">
            <TriangleAlert size={15} aria-hidden="true" className="shrink-0" />
            {MESSAGES.accessExpired}
          </span>
          <Button size="small" onClick={onReconnect} aria-label={MESSAGES.card.reconnect(account)}>
            {MESSAGES.reconnect}
          </Button>
        </div>
      )}
      <div className="mt-auto flex flex-wrap items-center gap-2">
        <Pill>{provider}</Pill>
        <Pill>{type}</Pill>
        <span className="ml-auto text-xs text-faint" title={usedBy.join(', ')}>
          {usedBy.length === 0 ? MESSAGES.card.unused : MESSAGES.card.usedBy(usedBy.length)}
        </span>
      </div>
    </li>
  );
}
