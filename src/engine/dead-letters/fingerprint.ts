import { createHash } from 'node:crypto';

/** Names a kind of file, not a place: failures of different kinds are different. */
const mediaType = /^(application|audio|font|image|message|model|multipart|text|video)\/[^/\\]+$/;

/** Groups failures of the same kind: what varies by document is removed before hashing. */
export function fingerprint(stage: string, code: string, message: string): string {
  const shape = message
    .toLowerCase()
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<id>')
    .replace(/"[^"]*"|'[^']*'/g, '<text>')
    .replace(/[\w.-]*[/\\][\w./\\+-]+/g, (path) => (mediaType.test(path) ? path : '<path>'))
    .replace(/\d+/g, '<n>');
  return createHash('sha256').update(`${stage}\n${code}\n${shape}`).digest('hex').slice(0, 16);
}
