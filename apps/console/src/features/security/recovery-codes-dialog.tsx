import { useUser } from '../../client/session-context.tsx';
import { downloadText } from '../../lib/download-text.ts';
import { Button } from '../../ui/button.tsx';
import { useCopy } from '../../ui/copy-button.tsx';
import { Check, Copy, Download } from '../../ui/icons.tsx';
import { COPIED } from '../../ui/texts.ts';
import { MESSAGES } from './messages.ts';
import { recoveryCodesFile } from './model/recovery-codes.ts';
import { ShownOnceDialog } from './shown-once-dialog.tsx';

const { recoveryCodes: TEXTS } = MESSAGES;

type RecoveryCodesDialogProps = { codes: string[]; onClose(): void };

export function RecoveryCodesDialog({ codes, onClose }: RecoveryCodesDialogProps) {
  return (
    <ShownOnceDialog texts={TEXTS} onClose={onClose}>
      <ol className="grid grid-cols-2 gap-x-4 gap-y-1.5 rounded-box border border-line bg-sunken px-4 py-3 font-mono text-[0.8125rem]">
        {codes.map((code) => (
          <li key={code} className="whitespace-nowrap">
            {code}
          </li>
        ))}
      </ol>
      <SaveButtons codes={codes} />
    </ShownOnceDialog>
  );
}

function SaveButtons({ codes }: { codes: string[] }) {
  const { email, id } = useUser();
  const { isCopied, copy } = useCopy(codes.join('\n'));
  return (
    <div className="flex flex-wrap gap-2">
      <Button onClick={copy}>
        {isCopied ? <Check size={16} aria-hidden="true" /> : <Copy size={16} aria-hidden="true" />}
        <span aria-live="polite">{isCopied ? COPIED : TEXTS.copy}</span>
      </Button>
      <Button onClick={() => downloadText(recoveryCodesFile(codes, email ?? id), TEXTS.fileName)}>
        <Download size={16} aria-hidden="true" />
        {TEXTS.download}
      </Button>
    </div>
  );
}
