import { StartProblem } from '../../lifecycle/start-problem.ts';

/** Why the embedded database cannot be used, in one sentence. */
export class PostgresProblem extends StartProblem {}
