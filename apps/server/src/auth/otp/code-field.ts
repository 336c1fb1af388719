import { z } from 'zod';

/** What somebody typed for a code; the length only keeps out what nobody types. */
export const codeField = z.string().max(64);
