export type ResponseFormat = 'page' | 'json' | 'text';

const HTML = /text\/(html|\*)|application\/xhtml\+xml/i;
const JSON_OR_ANY = /json|\*\/\*/i;
const TEXT = /text\/plain/i;

/** Browsers get a page, programs get JSON. Plain text is only for clients that accept nothing else. */
export function responseFormat(accept: string | undefined): ResponseFormat {
  if (acceptsHtml(accept)) return 'page';
  return TEXT.test(accept ?? '') && !JSON_OR_ANY.test(accept ?? '') ? 'text' : 'json';
}

export function acceptsHtml(accept: string | undefined): boolean {
  return HTML.test(accept ?? '');
}
