import { Button } from '../../ui/button.tsx';
import { GitBranch } from '../../ui/icons.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { MESSAGES } from './messages.ts';
import type { DeployDraft } from './model/deploy-draft.ts';

const PROTOCOLS = [
  { value: 'ssh', label: MESSAGES.cloneProtocols.ssh },
  { value: 'https', label: MESSAGES.cloneProtocols.https },
] as const;

type RepositorySummaryProps = {
  draft: DeployDraft;
  problem: string | undefined;
  onUrl(url: string): void;
  onChangeRepository(): void;
};

/** The picked repository and its clone protocol. HTTPS is offered because not every token may add SSH keys. */
export function RepositorySummary(props: RepositorySummaryProps) {
  const { draft, problem, onUrl, onChangeRepository } = props;
  const { selectedRepository: name, sourceUrl, cloneUrls } = draft;
  return (
    <div className="grid gap-1.5">
      <div className="flex flex-wrap items-center gap-3 rounded-box border border-line bg-sunken py-2.5 pr-2.5 pl-4">
        <GitBranch size={17} aria-hidden="true" className="shrink-0 text-muted" />
        <div className="min-w-40 flex-1">
          <p className="font-semibold">{name ?? MESSAGES.noRepository}</p>
          {name !== undefined && (
            <p className="font-mono text-xs break-all text-faint">{sourceUrl}</p>
          )}
        </div>
        {cloneUrls !== undefined && (
          <Segmented
            label={MESSAGES.cloneOver}
            value={sourceUrl === cloneUrls.https ? 'https' : 'ssh'}
            options={PROTOCOLS}
            onChange={(protocol) => onUrl(cloneUrls[protocol])}
          />
        )}
        <Button
          size="small"
          aria-invalid={problem !== undefined}
          aria-label={MESSAGES.changeRepository.label}
          onClick={onChangeRepository}
        >
          {MESSAGES.changeRepository.text}
        </Button>
      </div>
      {problem !== undefined && (
        <p role="alert" className="text-xs text-bad">
          {problem}
        </p>
      )}
    </div>
  );
}
