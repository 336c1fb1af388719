/** What was sent is no multipart form. */
export class MalformedForm extends Error {}
