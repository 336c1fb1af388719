import type { AppValues } from '@longshore/contract';
import { MESSAGES } from '../messages.ts';

export type Fact = { name: string; value: string; isCode: boolean };

/** What the app is made of, in a few lines. */
export function appFacts({ source, container, ports, env, publicAccess }: AppValues): Fact[] {
  const words = MESSAGES.facts;
  const origin = source.enabled
    ? [code(words.source, source.url), code(words.ref, source.ref)]
    : [code(words.image, container.image)];
  return [
    ...origin,
    code(words.port, ports.map((port) => String(port.number)).join(', ')),
    plain(words.publicAccess, publicAccess.enabled ? words.on : words.off),
    plain(words.env, words.variables(Object.keys(env).length)),
  ];
}

function code(name: string, value: string): Fact {
  return { name, value, isCode: true };
}

function plain(name: string, value: string): Fact {
  return { name, value, isCode: false };
}
