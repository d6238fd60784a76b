import type { Sharp, SharpInput, SharpOptions } from 'sharp';
import { PermanentError } from '../../errors.ts';

type OpenImage = (input: SharpInput | SharpInput[], options?: SharpOptions) => Sharp;

let loading: Promise<OpenImage> | undefined;

/** Loads sharp on first use, hardened for untrusted input: few formats, one thread, no cache. */
export function loadSharp(): Promise<OpenImage> {
  loading ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false);
    sharp.concurrency(1);
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({ operation: loaders.map((name) => `VipsForeignLoad${name}`) });
    return (input, options) => sharp(input, { failOn: 'error', sequentialRead: true, ...options });
  });
  return loading;
}

/** SVG from memory only: as a file it could refer to others beside it. */
const loaders = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Tiff', 'Heif', 'SvgBuffer', 'Raw'];

/** libvips reports causes only as text. Everything but lack of memory is permanent. */
export function imageProblem(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof PermanentError) return error;
  if (/pixel limit/i.test(error.message)) {
    return new PermanentError('IMAGE_TOO_LARGE', 'The image has more pixels than allowed', {
      cause: error,
    });
  }
  if (/memory|malloc/i.test(error.message)) return error;
  return new PermanentError('INVALID_FILE', `The image cannot be decoded: ${error.message}`, {
    cause: error,
  });
}
