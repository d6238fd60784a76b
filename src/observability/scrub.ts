const redacted = '[redacted]';

/** Text with the shape of a secret. */
const patterns: [RegExp, string][] = [
  [/\b(mr_[0-9a-f]{12})_[A-Za-z0-9_-]{32,}/g, `$1_${redacted}`],
  [/\b(sk|whsec)[-_][A-Za-z0-9_+/=-]{8,}/g, `$1-${redacted}`],
  [/\b(Bearer|Basic) +[A-Za-z0-9._~+/=-]{8,}/gi, `$1 ${redacted}`],
  [/(\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@"]*):[^\s@"]+@/gi, `$1:${redacted}@`],
  [/\b(X-Amz-(?:Signature|Credential|Security-Token))=[^&\s"]+/gi, `$1=${redacted}`],
];

/** Redacting shorter secrets would also remove ordinary words. */
const shortest = 8;

/** Redacts the given secrets and everything that has the shape of one. */
export function scrubber(secrets: readonly string[]): (text: string) => string {
  const known = secrets
    .filter(({ length }) => length >= shortest)
    .sort((a, b) => b.length - a.length);
  return (text) => {
    const unknown = known.reduce((left, secret) => left.replaceAll(secret, redacted), text);
    return patterns.reduce((left, [pattern, instead]) => left.replace(pattern, instead), unknown);
  };
}
