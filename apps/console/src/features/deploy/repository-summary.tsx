import { GitBranch } from 'lucide-react';
import { Button } from '../../ui/button.tsx';

type RepositorySummaryProps = {
  name: string | undefined;
  url: string;
  problem: string | undefined;
  onChange(): void;
};

/** What was picked in the step before. */
export function RepositorySummary({ name, url, problem, onChange }: RepositorySummaryProps) {
  return (
    <div className="grid gap-1.5">
      <div className="flex items-center gap-3 rounded-box border border-line bg-sunken py-2.5 pr-2.5 pl-4">
        <GitBranch size={17} aria-hidden="true" className="shrink-0 text-muted" />
        <div className="min-w-0 flex-1">
          <p className="font-semibold">{name ?? 'No repository'}</p>
          {name !== undefined && <p className="font-mono text-xs break-all text-faint">{url}</p>}
        </div>
        <Button
          size="small"
          aria-invalid={problem !== undefined}
          aria-label="Change repository"
          onClick={onChange}
        >
          Change
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
