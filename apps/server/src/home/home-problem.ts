import { StartProblem } from '../start-problem.ts';

/** Something about the data directory that the operator has to mend, in one sentence. */
export class HomeProblem extends StartProblem {}
