import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { Config } from '../config/index.ts';
import { SetupError } from '../errors.ts';
import { SECOND } from '../lib/time.ts';
import type { Reader } from '../providers/ocr/port.ts';
import { modelFiles, recogniserFile } from '../recognition/models.ts';
import { isMeasured } from '../recognition/prepare.ts';
import type { Finding } from './check.ts';
import { reachHost } from './reach.ts';

/** A white page of 64 by 64 points. */
const page = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAAAAACPAi4CAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAOklEQVRYhe3UIQEAMBDDwPo3nYFJeHoRUHCg69gMxCAGMWDwW8dmIAYxiAGD3zo2AzGIQQwY/M5/8ACnC/Dikp/VaQAAAABJRU5ErkJggg==',
  'base64',
);
const account = z.object({ client_email: z.string(), private_key: z.string() });

/** The engine that reads here, whether or not a vendor does it instead: what carries text never leaves. */
export async function examineLocalReader(local: Reader): Promise<Finding> {
  const files = modelFiles();
  for (const file of files) {
    await access(file).catch((error: unknown) => {
      throw new SetupError(`The model ${file} is missing.`, 'Install the packages again: npm ci', {
        cause: error,
      });
    });
  }
  const directory = await mkdtemp(join(tmpdir(), 'millrace-check-'));
  try {
    const path = join(directory, 'page.png');
    await writeFile(path, page);
    await local.read({ path, mediaType: 'image/png' }, AbortSignal.timeout(60 * SECOND));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
  const arithmetic = isMeasured(await readFile(recogniserFile('latin')))
    ? '8-bit integers'
    : 'floats, which is slower';
  return {
    found: `${local.engine} read a page in ${arithmetic}, ${files.length} model files are there`,
  };
}

export async function examineDocumentAi(config: Config): Promise<Finding> {
  const {
    DOCUMENTAI_PROCESSOR: processor = '',
    DOCUMENTAI_ENDPOINT: endpoint,
    DOCUMENTAI_INSECURE: open,
  } = config;
  const location = /locations\/([^/]+)/.exec(processor)?.[1] ?? 'us';
  const [host = '', port = '443'] = (endpoint ?? `${location}-documentai.googleapis.com`).split(
    ':',
  );
  await reachHost(
    host,
    Number(port),
    'Check DOCUMENTAI_ENDPOINT, DOCUMENTAI_PROCESSOR and the way out to it.',
  );
  const found = `${host} can be reached`;
  const { GOOGLE_APPLICATION_CREDENTIALS: keyFile } = config;
  if (open) return { found: `${found}, without credentials` };
  if (keyFile) return { found: `${found}, as ${await accountIn(keyFile)}` };
  return {
    found: `${found}, with the account of this machine`,
    fix: 'Set GOOGLE_APPLICATION_CREDENTIALS unless this machine runs at Google.',
  };
}

async function accountIn(path: string): Promise<string> {
  const fix = 'Let GOOGLE_APPLICATION_CREDENTIALS name the JSON file of a service account.';
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new SetupError(`${path} cannot be read.`, fix, { cause: error });
  });
  const parsed = account.safeParse(parseJson(text));
  if (!parsed.success) throw new SetupError(`${path} is no service account.`, fix);
  return parsed.data.client_email;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
