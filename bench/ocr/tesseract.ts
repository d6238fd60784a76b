import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

export async function hasTesseract(): Promise<boolean> {
  return await run('tesseract', ['--version']).then(
    () => true,
    () => false,
  );
}

export async function tesseract(path: string): Promise<string> {
  const env = { ...process.env, OMP_THREAD_LIMIT: '1' };
  return (await run('tesseract', [path, '-', '--psm', '6'], { env, maxBuffer: 2 ** 24 })).stdout;
}
