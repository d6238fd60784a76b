import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** Written by `npm run build`; the same path from `src` and from `dist`. */
const directory = fileURLToPath(new URL('../../../dist/ui', import.meta.url));

const mediaTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

export interface Asset {
  mediaType: string;
  plain: Buffer;
  gzipped: Buffer;
}

export interface ConsoleFiles {
  index: string;
  /** By file name. Names contain a hash of the content. */
  assets: ReadonlyMap<string, Asset>;
}

let loading: Promise<ConsoleFiles | undefined> | undefined;

/** The built console, kept in memory; undefined if it was not built. */
export function loadConsole(): Promise<ConsoleFiles | undefined> {
  loading ??= readConsole().catch((error: NodeJS.ErrnoException) => {
    loading = undefined;
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return loading;
}

async function readConsole(): Promise<ConsoleFiles> {
  const index = await readFile(join(directory, 'index.html'), 'utf8');
  const names = await readdir(join(directory, 'assets'));
  const assets = await Promise.all(
    names.map(async (name) => [name, await readAsset(name)] as const),
  );
  return { index, assets: new Map(assets) };
}

async function readAsset(name: string): Promise<Asset> {
  const plain = await readFile(join(directory, 'assets', name));
  return {
    mediaType: mediaTypes[extname(name)] ?? 'application/octet-stream',
    plain,
    gzipped: await promisify(gzip)(plain, { level: 9 }),
  };
}
