import { TAGLINE } from '@longshore/contract';
import type { ReactNode } from 'react';
import { useDocumentTitle } from '../../lib/use-document-title.ts';
import { Logo } from '../../ui/logo.tsx';

type AuthLayoutProps = { title: string; text?: ReactNode; children: ReactNode; footer?: ReactNode };

export function AuthLayout({ title, text, children, footer }: AuthLayoutProps) {
  useDocumentTitle(title);
  return (
    <main className="grid min-h-dvh lg:grid-cols-2">
      <div className="w-full max-w-sm place-self-center px-4 py-10 sm:px-0">
        <div className="mb-8 flex items-center gap-2.5">
          <Logo className="size-9" />
          <div>
            <p className="text-base leading-5 font-semibold tracking-tight">Longshore</p>
            <p className="text-xs text-faint">{TAGLINE}</p>
          </div>
        </div>
        <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
        {text !== undefined && <p className="mt-1.5 text-muted">{text}</p>}
        <div className="mt-6">{children}</div>
        {footer !== undefined && <p className="mt-6 text-muted">{footer}</p>}
      </div>
      <div className="grid place-items-center border-l border-line bg-sunken max-lg:hidden">
        <div className="harbour w-2/3 max-w-lg" />
      </div>
    </main>
  );
}
