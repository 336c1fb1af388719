import { isEmptyDiff, type Release, releaseDiff } from '@longshore/contract';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogFooter } from '../../ui/dialog-footer.tsx';
import { ExternalLink } from '../../ui/icons.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { CLOSE } from '../../ui/texts.ts';
import { DiffList } from './diff-list.tsx';
import { MESSAGES } from './messages.ts';
import type { ReleaseRow } from './model/release-rows.ts';
import { compareUrl } from './model/source-links.ts';
import { useCodeHosts } from './revision-code.tsx';

type CompareDialogProps = {
  release: Release;
  /** At least one more than the release. */
  rows: ReleaseRow[];
  onClose(): void;
};

/** What changed between two releases: settings, variables by name, and the commits at the code host. */
export function CompareDialog({ release, rows, onClose }: CompareDialogProps) {
  const texts = MESSAGES.compare;
  const others = rows.filter(({ release: { number } }) => number !== release.number);
  const before = others.find(({ release: { number } }) => number < release.number) ?? others[0];
  const [chosen, setChosen] = useState(before?.release.number);
  const other = others.find(({ release: { number } }) => number === chosen)?.release;
  return (
    <Dialog isOpen onOpenChange={onClose} title={texts.title(release.number)}>
      <div className="grid min-h-0 gap-4 overflow-y-auto p-5">
        <SelectField
          label={texts.with}
          value={String(chosen)}
          options={others.map(({ release: { number }, outcome }) => ({
            value: String(number),
            label: texts.option(number, MESSAGES.outcomes[outcome]),
          }))}
          onChange={(number) => setChosen(Number(number))}
        />
        {other !== undefined && <Comparison one={release} other={other} />}
      </div>
      <DialogFooter>
        <Button onClick={onClose}>{CLOSE}</Button>
      </DialogFooter>
    </Dialog>
  );
}

function Comparison({ one, other }: { one: Release; other: Release }) {
  const texts = MESSAGES.compare;
  const hosts = useCodeHosts();
  const [from, to] = one.number < other.number ? [one, other] : [other, one];
  const diff = releaseDiff(from, to);
  const { source } = to.values;
  const isSameRepository = source.enabled && source.url === from.values.source.url;
  const range = { from: from.revision ?? '', to: to.revision ?? '' };
  const url = isSameRepository ? compareUrl(source.url, range, hosts) : undefined;
  return (
    <div role="status" className="grid gap-2">
      <p className="text-muted">{texts.description(from.number, to.number)}</p>
      {isEmptyDiff(diff) ? <p>{texts.same}</p> : <DiffList diff={diff} />}
      {url !== undefined && (
        <a
          href={url}
          target="_blank"
          rel="noopener noreferrer"
          className="inline-flex items-center gap-1.5 justify-self-start rounded text-accent-ink underline-offset-4 hover:underline"
        >
          {texts.commits}
          <ExternalLink size={14} aria-hidden="true" />
        </a>
      )}
      <p className="text-xs text-faint">{texts.variables}</p>
    </div>
  );
}
