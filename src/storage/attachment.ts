/**
 * A Content-Disposition with this file name: ASCII for old clients (RFC 6266), UTF-8 for the rest
 * (RFC 5987).
 */
export function attachment(fileName: string): string {
  const name = printable(fileName) || 'download';
  const ascii = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^ -~]|["\\%]/gu, '_');
  return `attachment; filename="${ascii}"; filename*=UTF-8''${extended(name)}`;
}

/**
 * Control and bidirectional characters could split the header or disguise the extension; slashes
 * could name a path.
 */
function printable(name: string): string {
  return name
    .replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
    .replace(/[/\\]/g, '_')
    .trim();
}

function extended(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
