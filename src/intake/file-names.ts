import { basename, extname } from 'node:path';

const longest = 255;

/**
 * The sender's file name, made safe to display: no path, no control or bidirectional characters, no
 * longer than file systems allow. It is never part of a storage key.
 */
export function cleanFileName(name: string): string {
  const clean = showable(basename(name.replaceAll('\\', '/'))).trim();
  if (clean === '' || clean === '.' || clean === '..') return 'unnamed';
  if ([...clean].length <= longest) return clean;
  const extension = extname(clean).slice(0, 16);
  return [...clean].slice(0, longest - extension.length).join('') + extension;
}

const longestPath = 4096;

/** The path of an entry in its container, made safe to display. It is never used to open a file. */
export function cleanPath(path: string): string {
  return showable(path.replaceAll('\\', '/')).slice(0, longestPath);
}

/**
 * The path of an uploaded file below the sender's folder, or null for a plain name. Parts that would
 * lead out of the folder are dropped.
 */
export function cleanRelativePath(path: string): string | null {
  const parts = cleanPath(path)
    .replace(/^[A-Za-z]:/, '')
    .split('/')
    .filter((part) => part.trim() !== '' && part !== '.' && part !== '..');
  return parts.length < 2 ? null : parts.join('/');
}

/** Replaces characters that databases reject and terminals interpret. */
export function showable(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is to be taken out
  return name.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g, ' ');
}
