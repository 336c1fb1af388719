/** The other end of an assistant: says that it is ready, answers what it is asked, ends with who asks. */
export async function answerQuestions<SetUp, Question, Answer>(
  prepare: (setUp: SetUp) => Promise<(question: Question) => Promise<Answer>>,
): Promise<void> {
  process.once('disconnect', () => process.exit());
  const answer = await prepare(JSON.parse(process.argv[2] ?? '{}') as SetUp);
  process.on('message', async (question: Question) => process.send?.(await answer(question)));
  process.send?.('ready');
}
