import type { AppValues } from '@longshore/contract';

export type Fact = { name: string; value: string; isCode: boolean };

/** What the app is made of, in a few lines. */
export function appFacts({ source, container, ports, env, publicAccess }: AppValues): Fact[] {
  const count = Object.keys(env).length;
  const origin = source.enabled
    ? [code('Source', source.url), code('Ref', source.ref)]
    : [code('Image', container.image)];
  return [
    ...origin,
    code('Port', ports.map((port) => String(port.number)).join(', ')),
    plain('Public access', publicAccess.enabled ? 'On' : 'Off'),
    plain('Environment', count === 1 ? '1 variable' : `${count} variables`),
  ];
}

function code(name: string, value: string): Fact {
  return { name, value, isCode: true };
}

function plain(name: string, value: string): Fact {
  return { name, value, isCode: false };
}
