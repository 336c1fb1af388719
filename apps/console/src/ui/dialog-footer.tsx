import type { ReactNode } from 'react';

export function DialogFooter({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-wrap-reverse justify-end gap-2 border-t border-line px-5 py-3.5 max-sm:*:flex-1">
      {children}
    </div>
  );
}
