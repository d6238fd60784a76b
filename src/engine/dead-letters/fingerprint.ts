import { createHash } from 'node:crypto';

/** Failures of one kind share a fingerprint: what varies from document to document is taken out of the message. */
export function fingerprint(stage: string, code: string, message: string): string {
  const shape = message
    .toLowerCase()
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<id>')
    .replace(/"[^"]*"|'[^']*'/g, '<text>')
    .replace(/[\w.-]*[/\\][\w./\\-]+/g, '<path>')
    .replace(/\d+/g, '<n>');
  return createHash('sha256').update(`${stage}\n${code}\n${shape}`).digest('hex').slice(0, 16);
}
