/** Something about the data directory that the operator has to mend, in one sentence. */
export class HomeProblem extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'HomeProblem';
  }
}
