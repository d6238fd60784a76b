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

/** A white page of 64 by 64 pixels. */
const page = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAAAAACPAi4CAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAOklEQVRYhe3UIQEAMBDDwPo3nYFJeHoRUHCg69gMxCAGMWDwW8dmIAYxiAGD3zo2AzGIQQwY/M5/8ACnC/Dikp/VaQAAAABJRU5ErkJggg==',
  'base64',
);
const account = z.object({ client_email: z.string(), private_key: z.string() });

/** Needed even if a vendor does the OCR: files with embedded text are always read locally. */
export async function examineLocalReader(local: Reader): Promise<Finding> {
  const files = modelFiles();
  for (const file of files) {
    await access(file).catch((error: unknown) => {
      throw new SetupError(`The model file ${file} is missing.`, 'Reinstall the packages: npm ci', {
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
    ? '8-bit integer arithmetic'
    : 'float arithmetic, which is slower';
  return {
    found: `${local.engine} read a test page with ${arithmetic}; ${files.length} model files found`,
  };
}

export async function examineDocumentAi(config: Config): Promise<Finding> {
  const {
    DOCUMENTAI_PROCESSOR: processor = '',
    DOCUMENTAI_ENDPOINT: endpoint,
    DOCUMENTAI_INSECURE: isInsecure,
  } = config;
  const location = /locations\/([^/]+)/.exec(processor)?.[1] ?? 'us';
  const [host = '', port = '443'] = (endpoint ?? `${location}-documentai.googleapis.com`).split(
    ':',
  );
  await reachHost(
    host,
    Number(port),
    'Check DOCUMENTAI_ENDPOINT, DOCUMENTAI_PROCESSOR and the network.',
  );
  const found = `${host} is reachable`;
  const { GOOGLE_APPLICATION_CREDENTIALS: keyFile } = config;
  if (isInsecure) return { found: `${found}, without credentials` };
  if (keyFile) return { found: `${found}, as ${await readAccount(keyFile)}` };
  return {
    found: `${found}, with the default credentials of this machine`,
    fix: 'Set GOOGLE_APPLICATION_CREDENTIALS unless this machine runs on Google Cloud.',
  };
}

async function readAccount(path: string): Promise<string> {
  const fix = 'Set GOOGLE_APPLICATION_CREDENTIALS to the JSON key file of a service account.';
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new SetupError(`${path} cannot be read.`, fix, { cause: error });
  });
  const parsed = account.safeParse(parseJson(text));
  if (!parsed.success) throw new SetupError(`${path} is not a service account key file.`, fix);
  return parsed.data.client_email;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
