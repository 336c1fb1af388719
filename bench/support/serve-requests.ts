/** The other side of a `ChildProgram`: reports that it is ready, handles requests, exits with its parent. */
export async function serveRequests<SetUp, Request, Result>(
  prepare: (setUp: SetUp) => Promise<(request: Request) => Promise<Result>>,
): Promise<void> {
  process.once('disconnect', () => process.exit());
  const handle = await prepare(JSON.parse(process.argv[2] ?? '{}') as SetUp);
  process.on('message', async (request: Request) => process.send?.(await handle(request)));
  process.send?.('ready');
}
