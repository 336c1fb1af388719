import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of this checkout. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
