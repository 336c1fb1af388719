import { z } from 'zod';

/** `options` of the calls that only mail a link. */
export const linkOptions = z.object({ redirectTo: z.string().nullish() }).nullish();
