/** Why the embedded database cannot be used, in one sentence. */
export class PostgresProblem extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PostgresProblem';
  }
}
