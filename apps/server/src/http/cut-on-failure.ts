/**
 * A response body for which `cut` closes the connection when it fails, so that the client does not take a part for the
 * whole. The HTTP adapter prints such an error to stderr, and ends the response normally if the first read fails.
 */
export function cutOnFailure(
  body: ReadableStream<Uint8Array>,
  cut: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  reader.closed.catch(cut);
  return new ReadableStream(
    {
      async pull(controller) {
        // Nothing follows a failed read: the closed connection cancels this stream.
        const chunk = await reader.read().catch(() => undefined);
        if (chunk === undefined) return;
        if (chunk.done) controller.close();
        else controller.enqueue(chunk.value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
