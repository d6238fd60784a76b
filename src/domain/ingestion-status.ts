export const ingestionStatuses = ['in-progress', 'completed', 'failed', 'cancelled'] as const;
