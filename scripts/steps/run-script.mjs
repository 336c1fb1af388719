/** An expected failure of a step; its message is all that the user sees. */
export class StepFailed extends Error {}

/** Runs a script. An expected failure prints its message without a stack trace and exits with code 1. */
export async function runScript(work) {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}

const PROGRESS_INTERVAL_MS = 10_000;

/** Runs a step with its output shown. The default for every script but the start, which reports steps in one line each. */
export async function openStep(title, work) {
  console.log(title);
  const startedAt = Date.now();
  const timer = setInterval(() => {
    console.log(`  still running, ${Math.round((Date.now() - startedAt) / 1000)} s`);
  }, PROGRESS_INTERVAL_MS);
  try {
    return await work({});
  } finally {
    clearInterval(timer);
  }
}
