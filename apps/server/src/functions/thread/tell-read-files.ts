import { statSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { stampOf } from '../file-stamp.ts';
import type { FromThread } from '../messages.ts';

/** Tells of each file the function is made of, before it is read, so that a later change is noticed. */
export function tellReadFiles(tell: (message: FromThread) => void): void {
  registerHooks({
    load(url, context, next) {
      // Packages do not change beneath a running server.
      if (url.startsWith('file:') && !url.includes('/node_modules/')) {
        const file = fileURLToPath(url);
        const stats = statSync(file, { throwIfNoEntry: false });
        if (stats !== undefined) tell({ kind: 'read', file, stamp: stampOf(stats) });
      }
      return next(url, context);
    },
  });
}
