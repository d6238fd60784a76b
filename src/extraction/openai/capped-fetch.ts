type Fetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** A fetch that aborts after `maxBytes` of body, regardless of headers and compression. */
export function cappedFetch(maxBytes: number): Fetch {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (!response.body) return response;
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(cap(maxBytes)), { status, statusText, headers });
  };
}

function cap(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let seen = 0;
  return new TransformStream({
    transform(chunk, controller) {
      seen += chunk.byteLength;
      if (seen <= maxBytes) controller.enqueue(chunk);
      else controller.error(new Error(`The response is longer than ${maxBytes} bytes.`));
    },
  });
}
