/** In which form somebody wants to be told something. */
export type Form = 'page' | 'json' | 'text';

const HTML = /text\/(html|\*)|application\/xhtml\+xml/i;
const JSON_OR_ANY = /json|\*\/\*/i;
const TEXT = /text\/plain/i;

/** People get a page, programs JSON; text is for who asks for that alone. */
export function acceptedForm(accept: string | undefined): Form {
  if (acceptsHtml(accept)) return 'page';
  return TEXT.test(accept ?? '') && !JSON_OR_ANY.test(accept ?? '') ? 'text' : 'json';
}

export function acceptsHtml(accept: string | undefined): boolean {
  return HTML.test(accept ?? '');
}
