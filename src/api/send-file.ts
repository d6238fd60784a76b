import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';

/** Sends a file as the body of the response. */
export async function sendFile(
  req: Request,
  res: Response,
  { path, mediaType }: { path: string; mediaType: string },
): Promise<void> {
  res.type(mediaType).set('Content-Length', String((await stat(path)).size));
  if (req.method === 'HEAD') res.end();
  else await pipeline(createReadStream(path), res);
}
