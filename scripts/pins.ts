/** Images (`FROM`, `image:`) and actions (`uses:`). */
const reference =
  /^(\s*(?:FROM|image:|- uses:|uses:)\s+)([\w./-]+(?::[\w.-]+)?(?:@[\w.:-]+)?)(.*)$/;
const pinned = /@(sha256:[0-9a-f]{64}|[0-9a-f]{40})$/;

/** By name: the digest of an image, or the commit of an action. */
export type Pins = ReadonlyMap<string, string>;

/** Lines of `name digest`. */
export function parsePins(text: string): Pins {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return new Map(
    lines.map((line) => {
      const [, name, digest] = /^(\S+)\s+(sha256:[0-9a-f]{64}|[0-9a-f]{40})\s*$/.exec(line) ?? [];
      if (!name || !digest) throw new Error(`Not a name and a digest: ${line}`);
      return [name, digest];
    }),
  );
}

/** What a file refers to by a name that can change. */
export function findUnpinned(text: string): string[] {
  const names = text.split('\n').flatMap((line) => {
    const [, , name] = reference.exec(line) ?? [];
    return name && !pinned.test(name) ? [name] : [];
  });
  return [...new Set(names)];
}

/** The tag stays readable: `image:tag@digest`, and `action@commit # tag`. */
export function applyPins(text: string, pins: Pins): string {
  const lines = text.split('\n').map((line) => {
    const [, start = '', name = '', rest = ''] = reference.exec(line) ?? [];
    const digest = pins.get(name);
    if (!digest) return line;
    const [action, tag] = name.split('@');
    return tag ? `${start}${action}@${digest} # ${tag}` : `${start}${name}@${digest}${rest}`;
  });
  return lines.join('\n');
}
