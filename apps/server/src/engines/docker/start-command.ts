import type { Argv } from '../../build/build-plan.ts';
import { filledIn } from '../../build/command-line.ts';
import { GIVEN_HOST, NAMES_LABEL } from '../../build/dockerfile-of.ts';
import type { Image } from './images.ts';

type Given = { port: number | undefined; env: Record<string, string> };

/** The command of an image that a plan made, with the names in it filled in; none where the image's own is good as it is. */
export function startCommand(image: Image | undefined, { port, env }: Given): Argv | undefined {
  const { Labels, Cmd } = image?.Config ?? {};
  const [program, ...args] = Cmd ?? [];
  if (Labels?.[NAMES_LABEL] === undefined || program === undefined) return;
  const own = { HOST: GIVEN_HOST, ...(port === undefined ? {} : { PORT: String(port) }) };
  return filledIn([program, ...args], { ...own, ...env });
}
