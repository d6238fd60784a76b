/**
 * Which documents may be worked on by the same sandbox process, one after the other: those of one
 * workspace, none but the first, or all.
 */
export const shares = ['workspace', 'none', 'all'] as const;
export type Share = (typeof shares)[number];
