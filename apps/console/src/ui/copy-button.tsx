import { useEffect, useState } from 'react';
import { copyText } from '../lib/copy-text.ts';
import { IconButton } from './icon-button.tsx';
import { Check, Copy } from './icons.tsx';
import { COPIED } from './texts.ts';

const SHOWN_MS = 1_500;

/** `isCopied` is true for a moment after `copy` succeeded. */
export function useCopy(text: string) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  async function copy() {
    if (await copyText(text)) setCopied(true);
  }
  return { isCopied, copy: () => void copy() };
}

export function CopyButton({ text, label }: { text: string; label: string }) {
  const { isCopied, copy } = useCopy(text);
  return (
    <IconButton label={isCopied ? COPIED : label} onClick={copy}>
      {isCopied ? (
        <Check size={16} aria-hidden="true" className="text-ok" />
      ) : (
        <Copy size={16} aria-hidden="true" />
      )}
    </IconButton>
  );
}
