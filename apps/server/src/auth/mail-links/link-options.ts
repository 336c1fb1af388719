import { z } from 'zod';
import { redirectToField } from '../redirect-to.ts';

/** `options` of the calls that only mail a link. */
export const linkOptions = z.object({ redirectTo: redirectToField }).nullish();
