declare const BUILD: string;

/** Names the version of these programs. Set by the bundler. */
export const build = typeof BUILD === 'string' ? BUILD : 'sources';
