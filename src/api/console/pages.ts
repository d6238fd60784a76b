/** Pages of the console. Its router knows what is below each of them. */
export const consolePages = ['review', 'documents'] as const;
