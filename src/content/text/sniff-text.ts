/** Text has no NUL bytes and few control characters. UTF-16 is accepted by its byte order mark. */
export function isText(head: Buffer): boolean {
  if (head[0] === 0xff && head[1] === 0xfe) return true;
  if (head[0] === 0xfe && head[1] === 0xff) return true;
  if (head.includes(0)) return false;
  const controls = head.filter(
    (byte) => byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13,
  ).length;
  return controls <= head.length / 100;
}

export function sniffText(text: string): string {
  const start = text
    .replace(/^\ufeff/, '')
    .trimStart()
    .slice(0, 512)
    .toLowerCase();
  if (/^(<\?xml|<[a-z_][\w.-]*:?[\w.-]*[\s>])/.test(start)) return 'application/xml';
  if (/^[[{]/.test(start) && /[\]}]\s*$/.test(text)) return 'application/json';
  return 'text/plain';
}
